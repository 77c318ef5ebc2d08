"""The parts that all others use: the machine, the game, frames, problems, settings, languages."""
