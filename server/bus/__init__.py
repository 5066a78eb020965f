"""From a match to those who follow it: the port, the bus within one process, and the settings of another."""
