package verify

import (
	"bytes"
	"os"
	"testing"

	"github.com/cometbft/cometbft/types"
)

// receiptsFile holds the receipts to judge; run.sh makes it.
const receiptsFile = "RECEIPTS_FILE"

func receipts(t *testing.T) (*types.GenesisDoc, []*Receipt) {
	t.Helper()
	data, err := os.ReadFile(os.Getenv(receiptsFile))
	if err != nil {
		t.Fatalf("%s names no file (run test/go/run.sh): %v", receiptsFile, err)
	}
	genesis, found, err := ReadReceipts(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return genesis, found
}

func TestStockPackagesAcceptReceipts(t *testing.T) {
	genesis, found := receipts(t)
	failed := 0
	for i, receipt := range found {
		if err := VerifyReceipt(genesis, receipt); err != nil {
			t.Fatalf("receipt %d: %v", i, err)
		}
		if receipt.Result.Code != 0 {
			failed++
		}
	}
	t.Logf("%d receipts, %d of them of transactions that failed", len(found), failed)
	if len(found) < 50 || failed == 0 {
		t.Fatal("the receipts lack what they are there to show")
	}
}

// Every tampering is one that some stock function has to notice.
func TestATamperedReceiptIsNoticed(t *testing.T) {
	cases := map[string]func(*Receipt){
		"transaction":        func(r *Receipt) { r.Transaction[10] ^= 1 },
		"height":             func(r *Receipt) { r.Height++ },
		"index":              func(r *Receipt) { r.Index++ },
		"leaf":               func(r *Receipt) { r.TransactionProof.LeafHash[0] ^= 1 },
		"data hash":          func(r *Receipt) { r.Block.Header.DataHash[0] ^= 1 },
		"time":               func(r *Receipt) { r.Block.Header.Time = r.Block.Header.Time.Add(1) },
		"result":             func(r *Receipt) { r.Result.Code++ },
		"gas":                func(r *Receipt) { r.Result.GasUsed++ },
		"result's leaf":      func(r *Receipt) { r.ResultProof.LeafHash[0] ^= 1 },
		"results hash":       func(r *Receipt) { r.NextBlock.Header.LastResultsHash[0] ^= 1 },
		"round":              func(r *Receipt) { r.Block.Commit.Round++ },
		"signature":          func(r *Receipt) { r.Block.Commit.Signatures[0].Signature[0] ^= 1 },
		"power":              func(r *Receipt) { r.Block.Validators[0].VotingPower++ },
		"next power":         func(r *Receipt) { r.NextBlock.Validators[0].VotingPower++ },
		"next block's round": func(r *Receipt) { r.NextBlock.Commit.Round++ },
		"next block":         func(r *Receipt) { r.NextBlock = r.Block },
	}
	for name, tamper := range cases {
		t.Run(name, func(t *testing.T) {
			genesis, found := receipts(t)
			for i, receipt := range found {
				tamper(receipt)
				if err := VerifyReceipt(genesis, receipt); err == nil {
					t.Fatalf("accepted receipt %d with another %s", i, name)
				}
			}
		})
	}
}
