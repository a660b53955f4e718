"""What schemathesis cannot make up by itself: transfers that are signed."""

import json
import os

import schemathesis

SIGNED = json.loads(os.environ["SIGNED_TRANSFERS"])
SUBMIT = {"submitTransaction": "rest"}
BROADCAST = {"BroadcastTxSync": "sync", "BroadcastTxAsync": "async", "BroadcastTxCommit": "commit", "CheckTx": "check"}


@schemathesis.hook
def before_add_examples(context, examples):
    name = context.operation.definition.raw.get("operationId", "")
    if name in SUBMIT:
        examples.append(context.operation.Case(body=SIGNED[SUBMIT[name]]["body"], media_type="application/json"))
    for suffix, key in BROADCAST.items():
        if name == f"getRpc{suffix}":
            examples.append(context.operation.Case(query={"tx": "0x" + SIGNED["get_" + key]["hex"]}))
        if name == f"postRpc{suffix}":
            examples.append(context.operation.Case(body={"tx": SIGNED["post_" + key]["base64"]}, media_type="application/json"))
