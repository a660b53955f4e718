"""The partner's job with the pydantic models that datamodel-code-generator makes, over httpx: it makes models and no client."""

from typing import Any

import httpx
import job
from job import Refused, Seen
from ledger import Account, Chain, Problem, Transaction, TransactionInput, TransactionPage


class Partner:
    def __init__(self, base_url: str, token: str | None) -> None:
        self.http = httpx.Client(base_url=base_url, timeout=job.TIMEOUT_S, headers={} if token is None else {"Authorization": f"Bearer {token}"})

    def chain_id(self) -> str:
        return Chain.model_validate_json(self.http.get("/chain").raise_for_status().content).chainId.root

    def next_nonce(self, address: str) -> int:
        return Account.model_validate_json(self.http.get(f"/accounts/{address}").raise_for_status().content).nextNonce.root

    def submit(self, transfer: dict[str, Any], signature: str, prefer: str | None) -> Seen | Refused:
        body = TransactionInput.model_validate(
            {"from": transfer["from"], "to": transfer["to"], "amount": transfer["amount"], "nonce": transfer["nonce"], "signature": signature}
        )
        answer = self.http.post(
            "/transactions",
            json=body.model_dump(mode="json", by_alias=True, exclude_none=True),
            headers={} if prefer is None else {"Prefer": prefer},
        )
        if answer.is_error:
            problem = Problem.model_validate_json(answer.content)
            return Refused(answer.status_code, problem.code.root, problem.retriable, None if problem.txHash is None else problem.txHash.root)
        found = Transaction.model_validate_json(answer.content)
        return Seen(answer.status_code, found.txHash.root, found.status.root)

    def get(self, tx_hash: str) -> Seen:
        return seen(Transaction.model_validate_json(self.http.get(f"/transactions/{tx_hash}").raise_for_status().content))

    def page(self, sender: str, limit: int, cursor: str | None) -> tuple[list[str], str | None]:
        query = {"from": sender, "limit": str(limit)} | ({} if cursor is None else {"cursor": cursor})
        page = TransactionPage.model_validate_json(self.http.get("/transactions", params=query).raise_for_status().content)
        return [listed.txHash.root for listed in page.transactions], None if page.nextCursor is None else page.nextCursor.root

    def cancel(self, tx_hash: str, prefer: str) -> Seen:
        answer = self.http.delete(f"/transactions/{tx_hash}", headers={"Prefer": prefer}).raise_for_status()
        found = Transaction.model_validate_json(answer.content)
        return Seen(answer.status_code, found.txHash.root, found.status.root)


def seen(found: Transaction) -> Seen:
    assert found.history is not None
    height = None if found.height is None else found.height.root
    return Seen(200, found.txHash.root, found.status.root, height, found.history[-1].event.root)


job.main(Partner)
