"""Web page for watching in a browser: the port's answers to HTTP requests that are not WebSockets."""
