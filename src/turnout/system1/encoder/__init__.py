"""A sentence encoder that runs in numpy: texts in, vectors out. Nothing here is imported before it is asked for."""
