"""Changes between two publications of a session, and until when its results are provisional."""
