"""The tests, one file a module of the package; `deals` and `builders` make what they feed on."""
