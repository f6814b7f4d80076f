"""turnout: an embeddable AI gateway. Importing it is cheap; what you touch is loaded on first use."""

__version__ = "0.1.0"
