"""The people of a club: who is who over many evenings, what they won, and the series that they play in."""
