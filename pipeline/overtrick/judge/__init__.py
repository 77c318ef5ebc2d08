"""One evening to what it means: checks, points, rankings, analysis, people, and who may be named."""
