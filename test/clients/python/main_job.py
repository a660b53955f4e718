"""What a partner in Python does, with the client that openapi-python-client makes of the contract and the signer beside
this file: read, pay, find the payment, take one back, and be told what was wrong.

    python main_job.py DEV_JSON

DEV_JSON is the dev.json of a development server. One line a step, with the seconds it took; the first failure ends it.
"""

import json
import sys
import time
from contextlib import contextmanager

from signer import sign, sign_bytes
from transaction_ledger_api_client import AuthenticatedClient, Client
from transaction_ledger_api_client.api.accounts import get_account
from transaction_ledger_api_client.api.chain import get_chain
from transaction_ledger_api_client.api.transactions import (
    cancel_transaction,
    get_transaction,
    list_transactions,
    submit_transaction,
)
from transaction_ledger_api_client.models import Problem, ProblemCode, TransactionInput, TransactionStatus
from transaction_ledger_api_client.types import Unset

AMOUNT = "250"
#: How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait.
NONCES_AHEAD = 5
#: Above the longest `Prefer: wait`, 30 seconds.
TIMEOUT_S = 40
PAGE_LENGTH = 2


@contextmanager
def step(name: str):
    started = time.perf_counter()
    yield
    print(f"python: {name} ({time.perf_counter() - started:.3f} s)", flush=True)


def expect(what: str, actual, expected) -> None:
    if actual != expected:
        sys.exit(f"python: {what}: expected {expected!r}, got {actual!r}")


def main(dev_file: str) -> None:
    with open(dev_file, encoding="utf-8") as file:
        dev = json.load(file)
    sender, receiver = dev["accounts"][0], dev["accounts"][1]
    strict = {"base_url": dev["baseUrl"], "timeout": TIMEOUT_S, "raise_on_unexpected_status": True}
    client = AuthenticatedClient(token=dev["token"], **strict)

    with step("read chain"):
        answer = get_chain.sync_detailed(client=Client(**strict))  # without a token
        expect("status", answer.status_code, 200)
        chain = answer.parsed
        expect("chain", chain.chain_id, dev["chainId"])

    with step("read account"):
        account = get_account.sync(sender["address"], client=client)
        expect("address", account.address, sender["address"])

    def transfer(nonce: int) -> dict:
        return {"amount": AMOUNT, "chainId": chain.chain_id, "from": sender["address"], "nonce": nonce, "to": receiver["address"]}

    def submit(unsigned: dict, signature: str, **parameters):
        body = TransactionInput(
            from_=unsigned["from"], to=unsigned["to"], amount=unsigned["amount"], nonce=unsigned["nonce"], signature=signature
        )
        return submit_transaction.sync_detailed(client=client, body=body, **parameters)

    with step("submit, and wait until it is committed"):
        payment = transfer(account.next_nonce)
        signature, tx_hash = sign(payment, sender["seed"])
        answer = submit(payment, signature, prefer="wait=30")
        expect("status", answer.status_code, 201)
        expect("hash", answer.parsed.tx_hash, tx_hash)
        expect("status", answer.parsed.status, TransactionStatus.COMMITTED)
        expect("block time", answer.parsed.block_time.utcoffset().total_seconds(), 0.0)

    with step("submit again: the same payment, paid once"):
        answer = submit(payment, signature)
        expect("status", answer.status_code, 200)
        expect("replayed", answer.headers["Idempotent-Replayed"], "true")
        after = get_account.sync(sender["address"], client=client)
        expect("balance", int(account.balance) - int(after.balance), int(AMOUNT))

    with step("list until it is seen"):
        cursor, seen = None, False
        while not seen:
            more = {} if cursor is None else {"cursor": cursor}
            page = list_transactions.sync(client=client, from_=sender["address"], limit=PAGE_LENGTH, **more)
            seen = any(listed.tx_hash == tx_hash for listed in page.transactions)
            cursor = page.next_cursor
            if not seen and isinstance(cursor, Unset):
                sys.exit(f"python: {tx_hash} is on no page")

    with step(f"submit {NONCES_AHEAD} nonces ahead, and cancel it"):
        ahead = transfer(after.next_nonce + NONCES_AHEAD)
        ahead_signature, ahead_hash = sign(ahead, sender["seed"])
        answer = submit(ahead, ahead_signature)
        expect("status", (answer.status_code, answer.parsed.status), (202, TransactionStatus.PENDING))
        answer = cancel_transaction.sync_detailed(ahead_hash, client=client, prefer="wait=30")
        expect("status", (answer.status_code, answer.parsed.status), (200, TransactionStatus.CANCELLED))
        found = get_transaction.sync(ahead_hash, client=client)
        expect("last event", found.to_dict()["history"][-1]["event"], "cancelled")

    with step("a wrong signature is a typed problem"):
        another = transfer(after.next_nonce)
        wrong, _ = sign({**another, "amount": "251"}, sender["seed"])
        answer = submit(another, wrong)
        expect("status", answer.status_code, 422)
        expect("type", type(answer.parsed), Problem)
        expect("code", answer.parsed.code, ProblemCode.INVALID_SIGNATURE)
        expect("retriable", answer.parsed.retriable, False)
        expect("sign bytes", answer.parsed["signBytes"], sign_bytes(another))


main(sys.argv[1])
