"""Tasks, one for each kind of decision: what they light on the board, show in the action bar, and do on a click."""
