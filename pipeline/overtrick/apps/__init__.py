"""Who asks for it: the inbox, an evening at work, deliveries, the desk, the archive, editors, the command line."""
