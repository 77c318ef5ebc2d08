"""USEBIO 1.0 to 1.3, the XML in which British and Australian clubs send results."""
