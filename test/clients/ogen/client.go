package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"transaction-ledger/test/clients/go/ledger"
)

// partner speaks with the client that ogen makes.
type partner struct{ client *ledger.Client }

// token is what the client asks for when an operation needs one.
type token string

func (t token) BearerAuth(context.Context, ledger.OperationName) (ledger.BearerAuth, error) {
	return ledger.BearerAuth{Token: string(t)}, nil
}

func connect(baseURL, text string) (adapter, error) {
	client, err := ledger.NewClient(baseURL, token(text))
	return partner{client}, err
}

func optional(text string) (value ledger.OptString) {
	if text != "" {
		value.SetTo(text)
	}
	return value
}

func (p partner) chainID() (string, error) {
	answer, err := p.client.GetChain(context.Background(), ledger.GetChainParams{})
	if err != nil {
		return "", err
	}
	return string(answer.Response.ChainId), nil
}

func (p partner) nextNonce(address string) (int64, error) {
	answer, err := p.client.GetAccount(context.Background(), ledger.GetAccountParams{Address: ledger.Address(address)})
	if err != nil {
		return 0, err
	}
	return int64(answer.Response.NextNonce), nil
}

func (p partner) submit(t transfer, signature, prefer string) (*seen, *refused, error) {
	body := ledger.TransactionInput{
		From: ledger.Address(t.from), To: ledger.Address(t.to), Amount: ledger.Amount(t.amount), Nonce: ledger.Nonce(t.nonce), Signature: ledger.Signature(signature),
	}
	answer, err := p.client.SubmitTransaction(context.Background(), &body, ledger.SubmitTransactionParams{Prefer: optional(prefer)})
	var problem *ledger.ProblemStatusCodeWithHeaders
	if errors.As(err, &problem) {
		return nil, refusal(problem.StatusCode, problem.Response), nil
	}
	if err != nil {
		return nil, nil, err
	}
	switch found := answer.(type) {
	case *ledger.SubmitTransactionCreated:
		return transaction(http.StatusCreated, found.Response), nil, nil
	case *ledger.SubmitTransactionAccepted:
		return transaction(http.StatusAccepted, found.Response), nil, nil
	}
	return nil, nil, fmt.Errorf("unexpected answer %T", answer)
}

func (p partner) get(txHash string) (*seen, error) {
	answer, err := p.client.GetTransaction(context.Background(), ledger.GetTransactionParams{TxHash: ledger.TxHashInput(txHash)})
	if err != nil {
		return nil, err
	}
	return transaction(http.StatusOK, answer.Response), nil
}

func (p partner) page(from string, limit int32, cursor string) ([]string, string, error) {
	query := ledger.ListTransactionsParams{From: ledger.NewOptAddress(ledger.Address(from)), Limit: ledger.NewOptPageLimit(ledger.PageLimit(limit))}
	if cursor != "" {
		query.Cursor.SetTo(ledger.Cursor(cursor))
	}
	answer, err := p.client.ListTransactions(context.Background(), query)
	if err != nil {
		return nil, "", err
	}
	hashes := []string{}
	for _, listed := range answer.Response.Transactions {
		hashes = append(hashes, string(listed.TxHash))
	}
	return hashes, string(answer.Response.NextCursor.Or("")), nil
}

func (p partner) cancel(txHash, prefer string) (*seen, error) {
	answer, err := p.client.CancelTransaction(context.Background(), ledger.CancelTransactionParams{TxHash: ledger.TxHashInput(txHash), Prefer: optional(prefer)})
	if err != nil {
		return nil, err
	}
	found, ok := answer.(*ledger.CancelTransactionOK)
	if !ok {
		return nil, fmt.Errorf("unexpected answer %T", answer)
	}
	return transaction(http.StatusOK, found.Response), nil
}

func transaction(httpStatus int, found ledger.Transaction) *seen {
	event := ""
	if len(found.History) > 0 {
		event = string(found.History[len(found.History)-1].Event)
	}
	return &seen{httpStatus, string(found.TxHash), string(found.Status), int64(found.Height.Or(0)), event}
}

func refusal(httpStatus int, problem ledger.Problem) *refused {
	return &refused{httpStatus, string(problem.Code), string(problem.TxHash.Or("")), problem.Retriable}
}
