"""Our games in the terms of other libraries: `openspiel` and `pettingzoo`. Each needs the extra of its name."""
