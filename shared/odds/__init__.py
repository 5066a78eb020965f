"""The odds of a battle, by adding up all ways in which it can go: nothing is sampled. One module for each rule set."""
