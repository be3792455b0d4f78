"""The game as a page: games kept in a database, played and studied in browsers, served on this machine.

    contract      what goes over the wire: requests, answers, names of nodes
    storage       games and options in SQLite, one server a folder
    play          a game in play: session, clocks, players, the threads that search, what its tabs are told
    study         the library, the explorer and its database, the drill, games in and out
    server        the application: routes, security, connections, the page's files

Each part imports only from those above it. What a browser shows is in `static/`, the words it uses are in `i18n/`;
docs/api.md is the contract between both sides.
"""
