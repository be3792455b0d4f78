"""The server: its application, routes, security, connections, and the files of the page."""
