"""What schemathesis cannot make up by itself: transfers that are signed, and hashes of transactions that exist."""

import base64
import json
import os

import schemathesis

SIGNED = json.loads(os.environ["SIGNED_TRANSFERS"])
COMMITTED = os.environ["COMMITTED_HASH"]
PENDING = os.environ["PENDING_HASH"]
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
    if name == "getTransaction":
        examples.append(context.operation.Case(path_parameters={"txHash": COMMITTED}))
    if name == "cancelTransaction":
        examples.append(context.operation.Case(path_parameters={"txHash": PENDING}))
        examples.append(context.operation.Case(path_parameters={"txHash": COMMITTED}))
    if name == "getRpcTx":
        examples.append(context.operation.Case(query={"hash": "0x" + COMMITTED, "prove": "true"}))
    if name == "postRpcTx":
        digest = base64.b64encode(bytes.fromhex(COMMITTED)).decode()
        examples.append(context.operation.Case(body={"hash": digest, "prove": True}, media_type="application/json"))
