"""Our games in OpenSpiel, PettingZoo and Gymnasium: a module for each, which needs the extra of its name."""
