"""The screens of the desk: a module for each, with a function for each address of `desk.serve`."""
