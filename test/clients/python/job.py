"""What a partner in Python does, whatever generator made the client: read, pay, find the payment, take one back, be told what was wrong.

Each generator has an adapter (its main.py) that speaks with the client it made; the steps and what they must show are here.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from signer import sign

AMOUNT = "250"
#: How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait.
NONCES_AHEAD = 500
#: Above the longest `Prefer: wait`, 30 seconds.
TIMEOUT_S = 40


@dataclass
class Seen:
    """A transaction as the client gives it."""

    http_status: int
    tx_hash: str
    status: str
    height: int | None = None
    last_event: str | None = None


@dataclass
class Refused:
    """A problem as the client gives it."""

    http_status: int
    code: str
    retriable: bool
    tx_hash: str | None = None


class Adapter(Protocol):
    def chain_id(self) -> str: ...
    def next_nonce(self, address: str) -> int: ...
    def submit(self, transfer: dict[str, Any], signature: str, prefer: str | None) -> Seen | Refused: ...
    def get(self, tx_hash: str) -> Seen: ...
    def page(self, sender: str, limit: int, cursor: str | None) -> tuple[list[str], str | None]: ...
    def cancel(self, tx_hash: str, prefer: str) -> Seen: ...


@contextmanager
def step(name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    print(f"  {name} ({time.perf_counter() - started:.3f} s)", flush=True)


def expect(what: str, actual: object, expected: object) -> None:
    if actual != expected:
        sys.exit(f"{what}: expected {expected!r}, got {actual!r}")


def paid(answer: Seen | Refused) -> Seen:
    if isinstance(answer, Refused):
        sys.exit(f"refused: {answer}")
    return answer


def main(connect: Callable[[str, str | None], Adapter]) -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        dev = json.load(file)
    sender, receiver = dev["accounts"][0], dev["accounts"][1]
    client = connect(dev["baseUrl"], dev["token"])
    later: str | None = dev.get("later")

    def word(now: str) -> str:
        """What every status, code and event is, where answers are those of a later version."""
        return later or now

    with step("read chain, without a token, and account"):
        chain_id = connect(dev["baseUrl"], None).chain_id()
        expect("chain", chain_id, dev["chainId"])
        nonce = client.next_nonce(sender["address"])

    def transfer(nonce: int, amount: str = AMOUNT) -> dict[str, Any]:
        return {"amount": amount, "chainId": chain_id, "from": sender["address"], "nonce": nonce, "to": receiver["address"]}

    hashes = []
    with step("pay twice, and wait until each is committed"):
        for payment in (transfer(nonce), transfer(nonce + 1)):
            signature, tx_hash = sign(payment, sender["seed"])
            answer = paid(client.submit(payment, signature, "wait=30"))
            expect("answer", (answer.http_status, answer.tx_hash, answer.status), (201, tx_hash, word("committed")))
            hashes.append(tx_hash)

    with step("read the transaction with its history"):
        found = client.get(hashes[0])
        expect("transaction", (found.tx_hash, found.status, found.last_event), (hashes[0], word("committed"), word("committed")))
        expect("has a height", isinstance(found.height, int) and found.height > 0, True)

    with step("list by cursor until the first is seen"):
        cursor, seen = None, False
        pages = 0
        while not seen:
            listed, cursor = client.page(sender["address"], 1, cursor)
            pages += 1
            seen = hashes[0] in listed
            if not seen and cursor is None:
                sys.exit(f"{hashes[0]} is on no page")
        expect("pages", pages > 1, True)

    with step(f"submit {NONCES_AHEAD} nonces ahead, and cancel it"):
        ahead = transfer(nonce + 2 + NONCES_AHEAD)
        signature, tx_hash = sign(ahead, sender["seed"])
        answer = paid(client.submit(ahead, signature, None))
        expect("answer", (answer.http_status, answer.status), (202, word("pending")))
        answer = client.cancel(tx_hash, "wait=30")
        expect("answer", (answer.http_status, answer.status), (200, word("cancelled")))
        expect("last event", client.get(tx_hash).last_event, word("cancelled"))

    with step("another payment at a nonce in use is a typed problem that names the first"):
        other = transfer(nonce, "251")
        signature, _ = sign(other, sender["seed"])
        refused = client.submit(other, signature, None)
        expect("problem", refused, Refused(409, word("nonce_conflict"), False, hashes[0]))
