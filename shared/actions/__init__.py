"""Descriptions of actions, each in one place: labels, forms to compose them, and commands to type them."""
