import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Refusing(BaseHTTPRequestHandler):
    def do_POST(self):
        body = b'{"code": "internal", "detail": "Out of order."}'
        self.send_response(500)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(params=["down", "hanging", "refusing"])
def away(request):
    """The way in which a service is away, and its address."""
    if request.param == "refusing":
        server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield request.param, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        server.server_close()
        return
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if request.param == "hanging":
            silent.listen()
        yield request.param, f"http://127.0.0.1:{silent.getsockname()[1]}"
