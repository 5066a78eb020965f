"""Common parts of the two conquest games, Classic and 1984: kinds of pieces, dice, money and bargains."""
