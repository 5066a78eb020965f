"""The commands of `conquest-server`."""
