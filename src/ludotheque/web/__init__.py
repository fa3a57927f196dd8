"""The pages: templates, styles, scripts, and the texts of all layers in three languages."""
