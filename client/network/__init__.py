"""Connection to the server, and models of the state that it sent."""
