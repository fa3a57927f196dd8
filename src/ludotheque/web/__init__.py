"""The pages: templates, styles, scripts, and the words of all floors in three languages."""
