"""What all clients of busy.php have in common; busy_http.py and busy_messages.py have the kinds of work, and busy_server.py what is
right at the end."""

import threading

from http_client import ClosedEarly

# A request may meet many workers that die before they come to it.
PATIENCE_S = 120


class Client(threading.Thread):
    """Does one thing over and over, each time with a number that nothing else has: what was answered and what was lost with a
    worker is noted. What must not be ends it and is kept."""

    # In base mode its connection ends with the worker, whatever it is about.
    is_tied = False

    def __init__(self, server, what):
        super().__init__(daemon=True)
        self.server, self.what = server, what
        self.connection_may_end = False
        self.connection = None
        self.rounds = 0
        self.answered, self.lost = [], []
        self.dropped = []  # for want of room: no worker has begun it
        self.stopped = False
        self.error = None

    def run(self):
        try:
            while not self.stopped:
                self.rounds += 1
                number = f"{self.what}-{self.rounds}"
                try:
                    self.connection = self.connection or self.open()
                    self.once(number)
                except (ClosedEarly, ConnectionError):
                    if not self.connection_may_end:
                        raise
                    self.lose(number)
            if self.connection:
                self.connection.close()
        except BaseException as error:
            self.error = error

    def lose(self, number):
        """Together with the connection."""
        self.lost.append(number)
        self.hang_up()

    def hang_up(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def finish(self):
        """Once it has ended: whether what it saw was right as a whole."""
