"""Players made of code: they get a seat's view and answer with an action, in processes of their own."""
