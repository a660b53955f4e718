package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"transaction-ledger/test/clients/go/ledger"
)

// partner speaks with the client that openapi-generator makes for Go.
type partner struct {
	client *ledger.APIClient
	ctx    context.Context
}

func connect(baseURL, token string) (adapter, error) {
	configuration := ledger.NewConfiguration()
	configuration.Servers = ledger.ServerConfigurations{{URL: baseURL}}
	ctx := context.Background()
	if token != "" {
		ctx = context.WithValue(ctx, ledger.ContextAccessToken, token)
	}
	return partner{ledger.NewAPIClient(configuration), ctx}, nil
}

func (p partner) chainID() (string, error) {
	chain, _, err := p.client.ChainAPI.GetChain(p.ctx).Execute()
	if err != nil {
		return "", err
	}
	return chain.GetChainId(), nil
}

func (p partner) nextNonce(address string) (int64, error) {
	account, _, err := p.client.AccountsAPI.GetAccount(p.ctx, address).Execute()
	if err != nil {
		return 0, err
	}
	return account.GetNextNonce(), nil
}

func (p partner) submit(t transfer, signature, prefer string) (*seen, *refused, error) {
	request := p.client.TransactionsAPI.SubmitTransaction(p.ctx).TransactionInput(*ledger.NewTransactionInput(t.from, t.to, t.amount, t.nonce, signature))
	if prefer != "" {
		request = request.Prefer(prefer)
	}
	found, answer, err := request.Execute()
	var failure *ledger.GenericOpenAPIError
	if answer != nil && answer.StatusCode == http.StatusConflict && errors.As(err, &failure) {
		var problem ledger.Problem
		err := json.Unmarshal(failure.Body(), &problem)
		return nil, &refused{answer.StatusCode, problem.GetCode(), problem.GetTxHash(), problem.GetRetriable()}, err
	}
	if err != nil {
		return nil, nil, err
	}
	return transaction(answer.StatusCode, found), nil, nil
}

func (p partner) get(txHash string) (*seen, error) {
	found, _, err := p.client.TransactionsAPI.GetTransaction(p.ctx, txHash).Execute()
	if err != nil {
		return nil, err
	}
	return transaction(http.StatusOK, found), nil
}

func (p partner) page(from string, limit int32, cursor string) ([]string, string, error) {
	request := p.client.TransactionsAPI.ListTransactions(p.ctx).From(from).Limit(limit)
	if cursor != "" {
		request = request.Cursor(cursor)
	}
	page, _, err := request.Execute()
	if err != nil {
		return nil, "", err
	}
	hashes := []string{}
	for _, listed := range page.GetTransactions() {
		hashes = append(hashes, listed.GetTxHash())
	}
	return hashes, page.GetNextCursor(), nil
}

func (p partner) cancel(txHash, prefer string) (*seen, error) {
	found, answer, err := p.client.TransactionsAPI.CancelTransaction(p.ctx, txHash).Prefer(prefer).Execute()
	if err != nil {
		return nil, err
	}
	return transaction(answer.StatusCode, found), nil
}

func transaction(httpStatus int, found *ledger.Transaction) *seen {
	event := ""
	if history := found.GetHistory(); len(history) > 0 {
		event = history[len(history)-1].GetEvent()
	}
	return &seen{httpStatus, found.GetTxHash(), found.GetStatus(), found.GetHeight(), event}
}
