"""Games in play: sessions, clocks, players, the threads that search for them, and what their tabs are told."""
