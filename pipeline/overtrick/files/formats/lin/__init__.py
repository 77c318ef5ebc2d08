"""LIN, the format of Bridge Base Online: play records, vugraph sessions and, for their deals, films."""
