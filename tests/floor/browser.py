"""The HTTP side of a browser: requests with a cookie and a token, and event streams."""

import http.client
import json
import socket
import urllib.parse

from floor_process import PATIENCE_S


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.bytes = response.read()

    @property
    def json(self):
        return json.loads(self.bytes)


class Browser:
    """One browser: it keeps its cookie, and the token of the signed-in person."""

    def __init__(self, url):
        parsed = urllib.parse.urlsplit(url)
        self.place = parsed.hostname, parsed.port
        self.cookie = None
        self.token = None

    def ask(self, method, path, body=None, headers=None):
        line = http.client.HTTPConnection(*self.place, timeout=PATIENCE_S)
        sent = dict(headers or {})
        if self.cookie is not None:
            sent.setdefault("Cookie", self.cookie)
        line.request(method, path, body, sent)
        answer = Answer(line.getresponse())
        line.close()
        if (cookie := answer.headers.get("Set-Cookie")) is not None:
            self.cookie = cookie.split(";")[0]
        return answer

    def get(self, path, headers=None):
        return self.ask("GET", path, headers=headers)

    def post(self, path, body, headers=None):
        sent = {"Content-Type": "application/json"}
        if self.token is not None:
            sent["X-Linkmeter-Token"] = self.token
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.ask("POST", path, text, {**sent, **(headers or {})})

    def sign_in(self, badge, pin):
        answer = self.post("/api/sign-in", {"badge": badge, "pin": pin})
        if answer.status == 200:
            self.token = answer.json["token"]
        return answer

    def events(self, path):
        return Events(self, path)


class Events:
    """Server-sent events, as they arrive."""

    def __init__(self, browser, path):
        self.socket = socket.create_connection(browser.place, timeout=PATIENCE_S)
        cookie = f"Cookie: {browser.cookie}\r\n" if browser.cookie else ""
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n".encode())
        self.response = http.client.HTTPResponse(self.socket, method="GET")
        self.response.begin()
        self.status = self.response.status

    def next(self):
        """The data of the next event; None at the end."""
        data = []
        while line := self.response.readline():
            line = line.decode().rstrip("\n")
            if line.startswith("data: "):
                data.append(line[6:])
            elif not line and data:
                return json.loads("\n".join(data))
        return None

    def until(self, condition):
        """The first event for which the condition is true."""
        while (told := self.next()) is not None:
            if condition(told):
                return told
        raise AssertionError("the stream ended")

    def close(self):
        self.response.close()
        self.socket.close()
