"""Conquest of the Empire Classic (Eagle Games 2005). Rule ids are those of the catalogue: ``CL-...``."""
