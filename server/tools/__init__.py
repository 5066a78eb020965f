"""Commands of `conquest-server`."""
