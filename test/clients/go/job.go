// What a partner in Go does, whatever generator made the client: read, pay, find the payment, take one back, be told what was wrong.
// Each generator has an adapter (its client.go, with the function connect) that speaks with the client it made; the steps are here.
//
//	go run . DEV_JSON
package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

const (
	amount = "250"
	// How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait.
	noncesAhead = 500
)

// seen is a transaction as the client gives it.
type seen struct {
	httpStatus     int
	txHash, status string
	height         int64
	lastEvent      string
}

// refused is a problem as the client gives it.
type refused struct {
	httpStatus   int
	code, txHash string
	retriable    bool
}

// adapter speaks with a generated client. An answer that the operation does not declare is an error.
type adapter interface {
	chainID() (string, error)
	nextNonce(address string) (int64, error)
	// submit gives a transaction or a problem.
	submit(t transfer, signature, prefer string) (*seen, *refused, error)
	get(txHash string) (*seen, error)
	page(from string, limit int32, cursor string) (hashes []string, nextCursor string, err error)
	cancel(txHash, prefer string) (*seen, error)
}

type devFile struct {
	BaseURL  string `json:"baseUrl"`
	ChainID  string `json:"chainId"`
	Token    string `json:"token"`
	// What every status, code and event is, where answers are those of a later version.
	Later    string `json:"later"`
	Accounts []struct{ Address, Seed string }
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
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

func step(name string, do func()) {
	started := time.Now()
	do()
	fmt.Printf("  %s (%.3f s)\n", name, time.Since(started).Seconds())
}

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
	client := must(connect(dev.BaseURL, dev.Token))
	word := func(now string) string {
		if dev.Later != "" {
			return dev.Later
		}
		return now
	}
	paid := func(t transfer, prefer string) (*seen, string) {
		signature, txHash := t.sign(key)
		answer, problem, err := client.submit(t, signature, prefer)
		if err == nil && problem != nil {
			err = fmt.Errorf("refused: %+v", *problem)
		}
		return must(answer, err), txHash
	}

	var chainID string
	var nonce int64
	step("read chain, without a token, and account", func() {
		chainID = must(must(connect(dev.BaseURL, "")).chainID())
		expect("chain", chainID, dev.ChainID)
		nonce = must(client.nextNonce(sender.Address))
	})
	transferAt := func(nonce int64, amount string) transfer { return transfer{chainID, sender.Address, receiver, amount, nonce} }

	var first string
	step("pay twice, and wait until each is committed", func() {
		for _, at := range []int64{nonce, nonce + 1} {
			answer, txHash := paid(transferAt(at, amount), "wait=30")
			expect("answer", *answer, seen{httpStatus: 201, txHash: txHash, status: word("committed"), height: answer.height})
			if first == "" {
				first = txHash
			}
		}
	})

	step("read the transaction with its history", func() {
		found := must(client.get(first))
		expect("has a height", found.height > 0, true)
		expect("transaction", *found, seen{200, first, word("committed"), found.height, word("committed")})
	})

	step("list by cursor until the first is seen", func() {
		cursor := ""
		for pages := 1; ; pages++ {
			hashes, next, err := client.page(sender.Address, 1, cursor)
			for _, listed := range must(hashes, err) {
				if listed == first {
					expect("more than one page", pages > 1, true)
					return
				}
			}
			expect("there is another page", next != "", true)
			cursor = next
		}
	})

	step(fmt.Sprintf("submit %d nonces ahead, and cancel it", noncesAhead), func() {
		pending, txHash := paid(transferAt(nonce+2+noncesAhead, amount), "")
		expect("answer", *pending, seen{httpStatus: 202, txHash: txHash, status: word("pending")})
		cancelled := must(client.cancel(txHash, "wait=30"))
		expect("answer", *cancelled, seen{httpStatus: 200, txHash: txHash, status: word("cancelled"), height: cancelled.height})
		expect("last event", must(client.get(txHash)).lastEvent, word("cancelled"))
	})

	step("another payment at a nonce in use is a typed problem that names the first", func() {
		other := transferAt(nonce, "251")
		signature, _ := other.sign(key)
		_, problem, err := client.submit(other, signature, "")
		expect("problem", *must(problem, err), refused{409, word("nonce_conflict"), first, false})
	})
	return nil
}
