"""From a match to those who follow it: the port, and the bus within one process."""
