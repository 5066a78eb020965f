"""The odds of a battle, by adding up all ways in which it can go. Nothing is sampled. One module for each rule set."""
