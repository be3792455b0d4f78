"""Where games and options are kept: one SQLite file, which one server at a time may use."""
