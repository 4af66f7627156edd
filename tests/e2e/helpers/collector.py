"""A collector of OpenTelemetry: takes OTLP over HTTP, and decodes the protobuf of its spans."""

import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def fields_of(message):
    """The values of a message's fields, by number."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        elif kind == 2:
            size = varint()
            value = message[at:at + size]
            assert len(value) == size
            at += size
        else:
            assert kind in (1, 5), kind
            size = 8 if kind == 1 else 4
            value = struct.unpack_from("<Q" if kind == 1 else "<I", message, at)[0]
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


def attributes_of(pairs):
    attributes = {}
    for pair in map(fields_of, pairs):
        value = fields_of(pair[2][0])
        attributes[pair[1][0].decode()] = value[1][0].decode() if 1 in value else value[3][0]
    return attributes


def spans_of(body):
    """The spans of an ExportTraceServiceRequest."""
    spans = []
    for resource_spans in map(fields_of, fields_of(body)[1]):
        resource = attributes_of(fields_of(resource_spans[1][0])[1])
        for scope in map(fields_of, resource_spans[2]):
            for span in map(fields_of, scope[2]):
                spans.append({
                    "service": resource["service.name"], "resource": resource, "trace": span[1][0].hex(), "span": span[2][0].hex(), "parent": span[4][0].hex() if 4 in span else None,
                    "name": span[5][0].decode(), "kind": span[6][0], "start": span[7][0], "end": span[8][0],
                    "attributes": attributes_of(span.get(9, [])), "failed": 15 in span,
                })
    return spans


class Collector:
    """Answers with `statuses` in turn, then with 200."""

    def __init__(self, statuses=()):
        self.statuses = list(statuses)
        self.requests = []
        self.lock = threading.Lock()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with collector.lock:
                    status = collector.statuses.pop(0) if collector.statuses else 200
                    collector.requests.append((self.path, dict(self.headers), body, status))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def spans(self):
        """Those that were taken."""
        with self.lock:
            taken = [body for _, _, body, status in self.requests if status == 200]
        return [span for body in taken for span in spans_of(body)]
