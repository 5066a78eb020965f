"""The parts of lessons and problems that Classic and 1984 have alike."""
