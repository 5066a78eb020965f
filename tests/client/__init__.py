"""The client: what a person sees."""
