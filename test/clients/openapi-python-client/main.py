"""The partner's job with the client that openapi-python-client makes."""

from typing import Any

import httpx
import job
from job import Refused, Seen
from transaction_ledger_api_client import AuthenticatedClient, Client
from transaction_ledger_api_client.api.accounts import get_account
from transaction_ledger_api_client.api.chain import get_chain
from transaction_ledger_api_client.api.transactions import cancel_transaction, get_transaction, list_transactions, submit_transaction
from transaction_ledger_api_client.models import (
    PendingTransaction,
    PendingTransactionDetail,
    NonceConflictProblem,
    Problem,
    TransactionInput,
    TransactionPage,
    Account,
    Chain,
)
from transaction_ledger_api_client.types import UNSET, Unset


class Partner:
    def __init__(self, base_url: str, token: str | None) -> None:
        self.client: Any = (
            Client(base_url=base_url, timeout=httpx.Timeout(job.TIMEOUT_S), raise_on_unexpected_status=True)
            if token is None
            else AuthenticatedClient(base_url=base_url, token=token, timeout=httpx.Timeout(job.TIMEOUT_S), raise_on_unexpected_status=True)
        )

    def chain_id(self) -> str:
        chain = get_chain.sync(client=self.client)
        assert isinstance(chain, Chain)
        return chain.chain_id

    def next_nonce(self, address: str) -> int:
        account = get_account.sync(address, client=self.client)
        assert isinstance(account, Account)
        return account.next_nonce

    def submit(self, transfer: dict[str, Any], signature: str, prefer: str | None) -> Seen | Refused:
        body = TransactionInput(from_=transfer["from"], to=transfer["to"], amount=transfer["amount"], nonce=transfer["nonce"], signature=signature)
        answer = submit_transaction.sync_detailed(client=self.client, body=body, prefer=UNSET if prefer is None else prefer)
        parsed: Any = answer.parsed
        if answer.status_code >= 400:
            assert isinstance(parsed, (NonceConflictProblem, Problem)), type(parsed)
            return Refused(int(answer.status_code), parsed.code, parsed.retriable, None if isinstance(parsed.tx_hash, Unset) else parsed.tx_hash)
        return Seen(int(answer.status_code), parsed.tx_hash, parsed.status)

    def get(self, tx_hash: str) -> Seen:
        found = get_transaction.sync(tx_hash, client=self.client)
        assert found is not None
        height = None if isinstance(found, PendingTransactionDetail) else getattr(found, "height")
        return Seen(200, getattr(found, "tx_hash"), getattr(found, "status"), height, getattr(found, "history")[-1].event)

    def page(self, sender: str, limit: int, cursor: str | None) -> tuple[list[str], str | None]:
        page = list_transactions.sync(client=self.client, from_=sender, limit=limit, cursor=UNSET if cursor is None else cursor)
        assert isinstance(page, TransactionPage)
        return [listed.tx_hash for listed in page.transactions], None if isinstance(page.next_cursor, Unset) else page.next_cursor

    def cancel(self, tx_hash: str, prefer: str) -> Seen:
        answer = cancel_transaction.sync_detailed(tx_hash, client=self.client, prefer=prefer)
        parsed: Any = answer.parsed
        assert not isinstance(parsed, PendingTransaction)
        return Seen(int(answer.status_code), parsed.tx_hash, parsed.status)


job.main(Partner)
