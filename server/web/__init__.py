"""The page where anybody looks on in a browser: what the server's port answers to those who come without WebSockets."""
