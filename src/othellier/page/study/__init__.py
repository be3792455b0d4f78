"""What is studied: the library of games, the explorer and its database, the drill, games in and out."""
