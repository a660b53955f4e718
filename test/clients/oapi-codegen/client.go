package main

import (
	"context"
	"fmt"
	"net/http"

	"transaction-ledger/test/clients/go/ledger"
)

// partner speaks with the client that oapi-codegen makes.
type partner struct{ client *ledger.ClientWithResponses }

func connect(baseURL, token string) (adapter, error) {
	client, err := ledger.NewClientWithResponses(baseURL, ledger.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}))
	return partner{client}, err
}

func undeclared(status string, body []byte) error { return fmt.Errorf("unexpected answer %s: %s", status, body) }

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (p partner) chainID() (string, error) {
	answer, err := p.client.GetChainWithResponse(context.Background(), nil)
	if err != nil || answer.JSON200 == nil {
		return "", first(err, answer)
	}
	return answer.JSON200.ChainId, nil
}

func (p partner) nextNonce(address string) (int64, error) {
	answer, err := p.client.GetAccountWithResponse(context.Background(), address, nil)
	if err != nil || answer.JSON200 == nil {
		return 0, first(err, answer)
	}
	return answer.JSON200.NextNonce, nil
}

// first is the error, or that the answer was another than the one that was asked for.
func first(err error, answer interface{ Status() string }) error {
	if err != nil {
		return err
	}
	return undeclared(answer.Status(), nil)
}

func (p partner) submit(t transfer, signature, prefer string) (*seen, *refused, error) {
	body := ledger.TransactionInput{From: t.from, To: t.to, Amount: t.amount, Nonce: t.nonce, Signature: signature}
	answer, err := p.client.SubmitTransactionWithResponse(context.Background(), &ledger.SubmitTransactionParams{Prefer: optional(prefer)}, body)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case answer.JSON201 != nil:
		found, err := transaction(201, *answer.JSON201)
		return found, nil, err
	case answer.JSON202 != nil:
		found, err := transaction(202, *answer.JSON202)
		return found, nil, err
	case answer.ApplicationproblemJSON409 != nil:
		problem, err := answer.ApplicationproblemJSON409.AsProblem()
		if err != nil || problem.TxHash == nil {
			return nil, nil, fmt.Errorf("no transaction is named: %v", err)
		}
		return nil, &refused{409, string(problem.Code), *problem.TxHash, problem.Retriable}, nil
	}
	return nil, nil, undeclared(answer.Status(), answer.Body)
}

func (p partner) get(txHash string) (*seen, error) {
	answer, err := p.client.GetTransactionWithResponse(context.Background(), txHash, nil)
	if err != nil || answer.JSON200 == nil {
		return nil, first(err, answer)
	}
	return detail(*answer.JSON200)
}

func (p partner) page(from string, limit int32, cursor string) ([]string, string, error) {
	answer, err := p.client.ListTransactionsWithResponse(context.Background(), &ledger.ListTransactionsParams{From: &from, Limit: &limit, Cursor: optional(cursor)})
	if err != nil || answer.JSON200 == nil {
		return nil, "", first(err, answer)
	}
	hashes := []string{}
	for _, listed := range answer.JSON200.Transactions {
		found, err := transaction(200, listed)
		if err != nil {
			return nil, "", err
		}
		hashes = append(hashes, found.txHash)
	}
	next := answer.JSON200.NextCursor
	if next == nil {
		return hashes, "", nil
	}
	return hashes, *next, nil
}

func (p partner) cancel(txHash, prefer string) (*seen, error) {
	answer, err := p.client.CancelTransactionWithResponse(context.Background(), txHash, &ledger.CancelTransactionParams{Prefer: optional(prefer)})
	if err != nil || answer.JSON200 == nil {
		return nil, first(err, answer)
	}
	return transaction(200, *answer.JSON200)
}

// transaction reads the kind that takes every status: what is decoded is decided by the caller, not by the answer.
func transaction(httpStatus int, union ledger.Transaction) (*seen, error) {
	found, err := union.AsOtherTransaction()
	return &seen{httpStatus, found.TxHash, string(found.Status), heightOf(found.Height), ""}, err
}

func detail(union ledger.TransactionDetail) (*seen, error) {
	found, err := union.AsOtherTransactionDetail()
	if err != nil || len(found.History) == 0 {
		return nil, fmt.Errorf("no history: %v", err)
	}
	return &seen{200, found.TxHash, string(found.Status), heightOf(found.Height), string(found.History[len(found.History)-1].Event)}, nil
}

// heightOf is 0 for a pending one.
func heightOf(height *int64) int64 {
	if height == nil {
		return 0
	}
	return *height
}
