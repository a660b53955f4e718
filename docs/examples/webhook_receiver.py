"""A receiver of webhooks with Python's standard library alone: it believes a message only with a signature, keeps it before it answers, and keeps each once.

  WEBHOOK_SECRET='whsec_...' python3 webhook_receiver.py     (during a rotation both secrets, with a space between them)

Kept messages are lines of JSON in MESSAGES_FILE; another program does the work from there, in the order of "id".
"""
import base64, hashlib, hmac, json, os, re, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [base64.b64decode(secret.removeprefix("whsec_")) for secret in os.environ["WEBHOOK_SECRET"].split(" ")]
FILE = os.environ.get("MESSAGES_FILE", "messages.jsonl")
TOLERANCE_S = 300  # older or newer is a message that someone recorded, or a clock that is wrong
BODY_BYTES_MAX = 65_536  # far above the largest message
READ_S_MAX = 15

lock = threading.Lock()
file = open(FILE, "a+", encoding="utf-8")
file.seek(0)
kept = {json.loads(line)["id"] for line in file}


def is_signed(body, headers):
    message_id, timestamp, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = ["v1," + base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode() for secret in SECRETS]
    return any(hmac.compare_digest(one.encode(), other.encode()) for one in expected for other in signatures.split(" "))


def keep(message):
    with lock:
        if message["id"] in kept:
            return
        file.write(json.dumps(message) + "\n")
        file.flush()
        os.fsync(file.fileno())  # on disk before the answer: after 2xx it never comes again
        kept.add(message["id"])
        print(message["id"], message["type"], message["data"].get("transaction", {}).get("txHash", ""), flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = READ_S_MAX

    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        if length > BODY_BYTES_MAX:
            return self.answer(413)
        body = self.rfile.read(length)  # the bytes as they arrived: JSON that was read and written again has other ones
        if not is_signed(body, self.headers):
            return self.answer(400)
        keep(json.loads(body))
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
