"""One task for each kind of decision: what it lights on the board, what lies in the tray, what a click means."""
