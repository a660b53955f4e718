package verify

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"testing"

	"github.com/cometbft/cometbft/types"
)

// The exports to judge; run.sh makes them.
const (
	chainFile    = "CHAIN_FILE"
	governedFile = "GOVERNED_CHAIN_FILE"
)

func export(t *testing.T) []byte {
	t.Helper()
	return exportIn(t, chainFile)
}

func exportIn(t *testing.T, variable string) []byte {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s names no file: run test/go/run.sh", variable)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read(t *testing.T, data []byte) *Chain {
	t.Helper()
	chain, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func TestStockPackagesAcceptTheChain(t *testing.T) {
	chain := read(t, export(t))
	if err := Verify(chain); err != nil {
		t.Fatal(err)
	}
	var transactions, failed, transactionProofs, stateProofs, parts int
	for _, line := range chain.Blocks {
		transactions += len(line.Results)
		transactionProofs += len(line.TransactionProofs)
		stateProofs += len(line.StateProofs)
		parts = max(parts, int(line.BlockID.Total))
		for _, result := range line.Results {
			if result.Code != 0 {
				failed++
			}
		}
	}
	t.Logf("%d blocks, %d transactions (%d failed), %d transaction proofs, %d state proofs, up to %d parts",
		len(chain.Blocks), transactions, failed, transactionProofs, stateProofs, parts)
	if os.Getenv("CHAIN_IS_SAMPLE") == "" {
		return
	}
	if len(chain.Blocks) < 10 || transactions == 0 || failed == 0 || transactionProofs == 0 || stateProofs == 0 || parts < 2 {
		t.Fatal("the sample chain lacks what it is there to show")
	}
}

// Roles, threshold, rules and power change, and the validators are replaced one by one: what a stock node computes from the updates that it
// is told (validators_hash, next_validators_hash, who may sign) is what stands in the headers.
func TestStockPackagesAcceptEachKindOfGovernance(t *testing.T) {
	if os.Getenv("CHAIN_IS_SAMPLE") == "" {
		t.Skip("another chain is judged")
	}
	chain := read(t, exportIn(t, governedFile))
	if err := Verify(chain); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	var refused, changes int
	for _, line := range chain.Blocks {
		changes += len(line.ValidatorUpdates)
		for _, result := range line.Results {
			if result.Code != 0 {
				refused++
			}
			for _, event := range result.Events {
				for _, attribute := range event.Attributes {
					if event.Type == "governance" && attribute.Key == "action" {
						kinds[attribute.Value]++
					}
				}
			}
		}
	}
	t.Logf("%v in effect, %d without effect, %d changes of power", kinds, refused, changes)
	for _, kind := range []string{"canceller_add", "canceller_remove", "governor_add", "governor_remove", "threshold", "validator_power", "rules_version"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s took effect", kind)
		}
	}
	genesis, err := types.GenesisDocFromJSON(chain.Genesis.Genesis)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for _, validator := range genesis.Validators {
		left[string(validator.PubKey.Bytes())] = true
	}
	for _, line := range chain.Blocks {
		for _, update := range line.ValidatorUpdates {
			if update.Power == 0 {
				delete(left, string(update.PublicKey))
			}
		}
	}
	if refused == 0 || changes < 10 || len(left) > 0 {
		t.Fatalf("the governed chain lacks what it is there to show; of the first validators %d are left", len(left))
	}
}

func TestATamperedChangeOfPowerIsNoticed(t *testing.T) {
	if os.Getenv("CHAIN_IS_SAMPLE") == "" {
		t.Skip("another chain is judged")
	}
	data := exportIn(t, governedFile)
	for i := range read(t, data).Blocks {
		chain := read(t, data)
		// The headers after the last two blocks, which would show it, do not exist.
		if len(chain.Blocks[i].ValidatorUpdates) == 0 || i+2 >= len(chain.Blocks) {
			continue
		}
		chain.Blocks[i].ValidatorUpdates[0].Power++
		if err := Verify(chain); err == nil {
			t.Fatalf("accepted another power than was decided at height %d", i+1)
		}
		chain = read(t, data)
		chain.Blocks[i].ValidatorUpdates = nil
		if err := Verify(chain); err == nil {
			t.Fatalf("accepted a chain that leaves out the change of height %d", i+1)
		}
	}
}

// Every tampering is one that some stock function has to notice.
func TestOneTamperedByteIsNoticed(t *testing.T) {
	data := export(t)
	if err := Verify(read(t, data)); err != nil {
		t.Fatalf("without tampering: %v", err)
	}
	random := rand.New(rand.NewSource(1))
	flip := func(b []byte) string {
		at := random.Intn(len(b))
		bit := byte(1) << random.Intn(8)
		b[at] ^= bit
		return fmt.Sprintf("byte %d of %d, bit %#x", at, len(b), bit)
	}
	// The last block's results and application hash stand in the header of a block that does not exist yet.
	settled := func(chain *Chain) *BlockLine { return &chain.Blocks[random.Intn(len(chain.Blocks)-1)] }
	withResults := func(chain *Chain) *BlockLine {
		for {
			if line := settled(chain); len(line.Results) > 0 {
				return line
			}
		}
	}
	cases := []struct {
		name   string
		times  int
		tamper func(chain *Chain) string
	}{
		{"block", 200, func(c *Chain) string { return flip(c.Blocks[random.Intn(len(c.Blocks))].Block) }},
		{"commit", 200, func(c *Chain) string { return flip(c.Blocks[random.Intn(len(c.Blocks))].Commit) }},
		{"header hash", 20, func(c *Chain) string { return flip(settled(c).BlockID.Hash) }},
		{"part set hash", 20, func(c *Chain) string { return flip(settled(c).BlockID.PartsHash) }},
		{"application hash", 20, func(c *Chain) string { return flip(settled(c).AppHash) }},
		{"genesis application hash", 5, func(c *Chain) string { return flip(c.Genesis.AppHash) }},
		{"result code", 20, func(c *Chain) string {
			results := withResults(c).Results
			at := random.Intn(len(results))
			results[at].Code ^= 1
			return fmt.Sprintf("result %d", at)
		}},
		{"transaction proof", 40, func(c *Chain) string {
			proofs := withResults(c).TransactionProofs
			return flip(proofs[random.Intn(len(proofs))].LeafHash)
		}},
		{"proved transaction", 20, func(c *Chain) string {
			proofs := withResults(c).TransactionProofs
			return flip(proofs[random.Intn(len(proofs))].Raw)
		}},
		{"proved value", 40, func(c *Chain) string {
			proofs := settled(c).StateProofs
			return flip(proofs[random.Intn(len(proofs))].Value)
		}},
		{"state proof", 100, func(c *Chain) string {
			proofs := settled(c).StateProofs
			proof := proofs[random.Intn(len(proofs))]
			data := proof.Ops[random.Intn(len(proof.Ops))].Data
			// A hash stands last. The first field repeats the key, and the stock decoder reads the key beside it instead.
			return flip(data[len(data)-32:])
		}},
		{"state proof's key", 20, func(c *Chain) string {
			proofs := settled(c).StateProofs
			proof := proofs[random.Intn(len(proofs))]
			return flip(proof.Ops[random.Intn(len(proof.Ops))].Key)
		}},
		{"order of blocks", 1, func(c *Chain) string {
			c.Blocks[2], c.Blocks[3] = c.Blocks[3], c.Blocks[2]
			return "2 and 3"
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for i := 0; i < c.times; i++ {
				chain := read(t, data)
				what := c.tamper(chain)
				if err := Verify(chain); err == nil {
					t.Fatalf("accepted a chain with a tampered %s: %s", c.name, what)
				}
			}
		})
	}
}
