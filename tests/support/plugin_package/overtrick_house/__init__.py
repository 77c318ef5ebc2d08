"""An example of plugins for overtrick."""
