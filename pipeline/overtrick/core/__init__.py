"""What everybody may use and what uses nobody: the machine, the game, frames, problems, settings, languages."""
