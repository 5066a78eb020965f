"""Descriptions of actions for clients that know no rules: labels of legal actions, and forms to compose one."""
