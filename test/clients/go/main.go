// What a partner in Go does, with the package that oapi-codegen makes of the contract and the signer beside this file:
// read, pay, find the payment, take one back, and be told what was wrong.
//
//	go run . DEV_JSON
//
// DEV_JSON is the dev.json of a development server. One line a step, with the seconds it took; the first failure ends it.
package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"time"

	"transaction-ledger/test/clients/go/ledger"
)

const (
	amount = "250"
	// How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait.
	noncesAhead = 5
	// Above the longest `Prefer: wait`, 30 seconds.
	timeout    = 40 * time.Second
	pageLength = 2
)

type devFile struct {
	BaseURL  string `json:"baseUrl"`
	ChainID  string `json:"chainId"`
	Token    string `json:"token"`
	Accounts []struct{ Address, Seed string }
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "go:", err)
		os.Exit(1)
	}
}

func expect[T comparable](what string, actual, expected T) {
	if actual != expected {
		panic(fmt.Errorf("%s: expected %v, got %v", what, expected, actual))
	}
}

// must ends the step with the error, if there is one.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// present ends the step when an answer was not the one that has this body.
func present[T any](body *T, status string, raw []byte) *T {
	if body == nil {
		panic(fmt.Errorf("unexpected answer %s: %s", status, raw))
	}
	return body
}

func step(name string, do func()) {
	started := time.Now()
	do()
	fmt.Printf("go: %s (%.3f s)\n", name, time.Since(started).Seconds())
}

func text(s string) *string { return &s }

func run(file string) (err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%v", failure)
		}
	}()
	var dev devFile
	if err := json.Unmarshal(must(os.ReadFile(file)), &dev); err != nil {
		return err
	}
	sender, receiver := dev.Accounts[0], dev.Accounts[1].Address
	key := ed25519.NewKeyFromSeed(must(hex.DecodeString(sender.Seed)))
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	anyone := must(ledger.NewClientWithResponses(dev.BaseURL))
	client := must(ledger.NewClientWithResponses(dev.BaseURL, ledger.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+dev.Token)
		return nil
	})))

	var chain *ledger.Chain
	step("read chain", func() {
		answer := must(anyone.GetChainWithResponse(ctx, nil))
		chain = present(answer.JSON200, answer.Status(), answer.Body)
		expect("chain", chain.ChainId, dev.ChainID)
	})

	readAccount := func() *ledger.Account {
		answer := must(client.GetAccountWithResponse(ctx, sender.Address, nil))
		return present(answer.JSON200, answer.Status(), answer.Body)
	}
	var account *ledger.Account
	step("read account", func() {
		account = readAccount()
		expect("address", account.Address, sender.Address)
	})

	transferAt := func(nonce int64) transfer { return transfer{chain.ChainId, sender.Address, receiver, amount, nonce} }
	submit := func(t transfer, signature string, prefer *string) *ledger.SubmitTransactionResponse {
		body := ledger.TransactionInput{From: t.from, To: t.to, Amount: t.amount, Nonce: t.nonce, Signature: signature}
		return must(client.SubmitTransactionWithResponse(ctx, &ledger.SubmitTransactionParams{Prefer: prefer}, body))
	}

	payment := transferAt(account.NextNonce)
	signature, txHash := payment.sign(key)
	step("submit, and wait until it is committed", func() {
		answer := submit(payment, signature, text("wait=30"))
		committed := present(answer.JSON201, answer.Status(), answer.Body)
		expect("hash", committed.TxHash, txHash)
		expect("status", committed.Status, ledger.TransactionStatusCommitted)
	})

	var after *ledger.Account
	step("submit again: the same payment, paid once", func() {
		answer := submit(payment, signature, nil)
		present(answer.JSON200, answer.Status(), answer.Body)
		expect("replayed", answer.HTTPResponse.Header.Get("Idempotent-Replayed"), "true")
		after = readAccount()
		expect("balance", new(big.Int).Sub(integer(account.Balance), integer(after.Balance)).String(), amount)
	})

	step("list until it is seen", func() {
		limit := ledger.Limit(pageLength)
		params := &ledger.ListTransactionsParams{From: &sender.Address, Limit: &limit}
		for {
			answer := must(client.ListTransactionsWithResponse(ctx, params))
			page := present(answer.JSON200, answer.Status(), answer.Body)
			for _, listed := range page.Transactions {
				if listed.TxHash == txHash {
					return
				}
			}
			params.Cursor = present(page.NextCursor, "without "+txHash, answer.Body)
		}
	})

	step(fmt.Sprintf("submit %d nonces ahead, and cancel it", noncesAhead), func() {
		ahead := transferAt(after.NextNonce + noncesAhead)
		aheadSignature, aheadHash := ahead.sign(key)
		submitted := submit(ahead, aheadSignature, nil)
		expect("status", present(submitted.JSON202, submitted.Status(), submitted.Body).Status, ledger.TransactionStatusPending)
		answer := must(client.CancelTransactionWithResponse(ctx, aheadHash, &ledger.CancelTransactionParams{Prefer: text("wait=30")}))
		expect("status", present(answer.JSON200, answer.Status(), answer.Body).Status, ledger.TransactionStatusCancelled)
		found := must(client.GetTransactionWithResponse(ctx, aheadHash, nil))
		history := present(found.JSON200, found.Status(), found.Body).History
		expect("last event", string(history[len(history)-1].Event), "cancelled")
	})

	step("a wrong signature is a typed problem", func() {
		another := transferAt(after.NextNonce)
		altered := another
		altered.amount = "251"
		wrong, _ := altered.sign(key)
		answer := submit(another, wrong, nil)
		problem := must(present(answer.ApplicationproblemJSON422, answer.Status(), answer.Body).AsInvalidSignatureProblem())
		expect[any]("code", problem.Code, "invalid_signature")
		expect("retriable", problem.Retriable, false)
		expect("sign bytes", problem.SignBytes, another.signBytes())
	})
	return nil
}

func integer(decimal string) *big.Int {
	value, ok := new(big.Int).SetString(decimal, 10)
	if !ok {
		panic(fmt.Errorf("%q is no integer", decimal))
	}
	return value
}
