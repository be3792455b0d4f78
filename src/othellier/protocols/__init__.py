"""Players for other programs: servers of GTP and of the NBoard protocol.

A server is a state machine without input or output; `serve` lets it talk over a pair of streams. Other
programs as players of ours are in `players/`.
"""

from othellier.protocols.gtp import GtpServer
from othellier.protocols.loop import serve, writer
from othellier.protocols.nboard import NBoardServer

__all__ = ["GtpServer", "NBoardServer", "serve", "writer"]
