"""Half-made actions of the second game. They know no window; what is legal is asked of the rules (`Check`)."""
