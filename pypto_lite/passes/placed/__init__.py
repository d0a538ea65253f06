"""Passes that give every tile a memory space, and say whether all fit."""
