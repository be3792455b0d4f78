"""The game as a page: a session for each game, kept in a database, served to browsers on this machine.

    messages      what the page may ask and is told, typed
    session       a game with its players, clocks and place: no input or output
    views         a session as the page sees it
    analysis      what a player's moves cost, and why (reasons)
    seats         who may sit at a board, and who answers for a level
    searchers     the threads that think
    explorer      what is known of an opening, with other people's games (database)
    drill         openings learnt by heart
    store         games and options in SQLite
    tables        running games: sessions, their tabs, their searches
    security      who may ask, and how much
    app           the routes (routes, study) put together; serve runs them

What a browser shows is in `static/`, the words it uses are in `i18n/`; docs/api.md is the contract between both sides.
"""

__all__: list[str] = []
