"""Verifies messages of this service with the Python library of Standard Webhooks: one JSON object a line on standard input,
{"secret", "headers": {...}, "body"}. Prints how many were verified, and how many it refused once a byte was changed."""
import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

verified = refused = 0
for line in sys.stdin:
    message = json.loads(line)
    webhook = Webhook(message["secret"])
    webhook.verify(message["body"], message["headers"])
    verified += 1
    try:
        webhook.verify(message["body"] + " ", message["headers"])
    except WebhookVerificationError:
        refused += 1
print(f"verified {verified}, refused {refused} changed")
