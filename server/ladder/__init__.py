"""Ladder: bots play rated matches against each other; pairing, ratings and the page that shows them."""
