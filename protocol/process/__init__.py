"""Parts of a running program that client and server have alike."""
