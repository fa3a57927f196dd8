"""One module for each change of shape, each naming the one before it."""
