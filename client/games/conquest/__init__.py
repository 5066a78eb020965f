"""What the two games of conquest share, Classic and 1984: their kinds of pieces, dice, money and bargains."""
