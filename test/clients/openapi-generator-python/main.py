"""The partner's job with the client that openapi-generator makes for Python."""

from typing import Any

import job
from job import Refused, Seen
from ledger import AccountsApi, ApiClient, ApiException, ChainApi, Configuration, Problem, TransactionDetail, TransactionInput, TransactionsApi
from ledger.models.pending_transaction_detail import PendingTransactionDetail


class Partner:
    def __init__(self, base_url: str, token: str | None) -> None:
        client = ApiClient(Configuration(host=base_url, access_token=token))
        self.accounts = AccountsApi(client)
        self.chain = ChainApi(client)
        self.transactions = TransactionsApi(client)

    def chain_id(self) -> str:
        return self.chain.get_chain().chain_id

    def next_nonce(self, address: str) -> int:
        return self.accounts.get_account(address).next_nonce

    def submit(self, transfer: dict[str, Any], signature: str, prefer: str | None) -> Seen | Refused:
        body = TransactionInput.model_validate(
            {"from": transfer["from"], "to": transfer["to"], "amount": transfer["amount"], "nonce": transfer["nonce"], "signature": signature}
        )
        try:
            answer = self.transactions.submit_transaction_with_http_info(body, prefer=prefer, _request_timeout=float(job.TIMEOUT_S))
        except ApiException as error:
            problem = Problem.from_json(error.body or "")
            assert problem is not None
            return Refused(error.status or 0, problem.code, problem.retriable, problem.tx_hash)
        found = answer.data.actual_instance
        assert found is not None
        return Seen(answer.status_code, found.tx_hash, found.status)

    def get(self, tx_hash: str) -> Seen:
        return seen(self.transactions.get_transaction(tx_hash))

    def page(self, sender: str, limit: int, cursor: str | None) -> tuple[list[str], str | None]:
        page = self.transactions.list_transactions(var_from=sender, limit=limit, cursor=cursor)
        return [listed.actual_instance.tx_hash for listed in page.transactions if listed.actual_instance is not None], page.next_cursor

    def cancel(self, tx_hash: str, prefer: str) -> Seen:
        answer = self.transactions.cancel_transaction_with_http_info(tx_hash, prefer=prefer, _request_timeout=float(job.TIMEOUT_S))
        found = answer.data.actual_instance
        assert found is not None
        return Seen(answer.status_code, found.tx_hash, found.status)


def seen(detail: TransactionDetail) -> Seen:
    found = detail.actual_instance
    assert found is not None
    height = None if isinstance(found, PendingTransactionDetail) else found.height
    return Seen(200, found.tx_hash, found.status, height, found.history[-1].event)


job.main(Partner)
