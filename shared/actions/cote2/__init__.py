"""Labels and forms of the actions of Conquest II."""
