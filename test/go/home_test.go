//go:build home

package verify

import (
	"os"
	"testing"
)

// homeFolder is the home of a stopped node; test/graduate/run.ts names it, and asks for this file by its tag.
const homeFolder = "HOME_FOLDER"

func TestStockStoresReadAHomeAndStockPackagesAcceptIt(t *testing.T) {
	home := os.Getenv(homeFolder)
	if home == "" {
		t.Fatalf("%s names no home", homeFolder)
	}
	chain, err := ReadHome(home)
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(chain); err != nil {
		t.Fatal(err)
	}
	transactions, updates := 0, 0
	for _, block := range chain.Blocks {
		transactions += len(block.Results)
		updates += len(block.ValidatorUpdates)
	}
	t.Logf("%d blocks, %d transactions, %d changes of validators", len(chain.Blocks), transactions, updates)
}
