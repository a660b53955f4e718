// Package verify judges exported blocks with CometBFT's own packages, unchanged.
//
// It shares no code with the server. What it reads is made by test/engine/export-blocks.ts.
package verify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	abci "github.com/cometbft/cometbft/abci/types"
)

// LineBytesMax bounds one line of the export: a block of 1 MiB in base64 with its results and proofs.
const LineBytesMax = 16 << 20

// GenesisLine is the first line. Byte slices are base64 in JSON.
type GenesisLine struct {
	Genesis    []byte `json:"genesis"`
	AppVersion uint64 `json:"appVersion"`
	AppHash    []byte `json:"appHash"`
}

// BlockLine is every other line.
type BlockLine struct {
	Height            int64              `json:"height"`
	Block             []byte             `json:"block"`
	BlockID           BlockID            `json:"blockId"`
	Commit            []byte             `json:"commit"`
	Results           []Result           `json:"results"`
	ValidatorUpdates  []ValidatorUpdate  `json:"validatorUpdates"`
	AppHash           []byte             `json:"appHash"`
	TransactionProofs []TransactionProof `json:"transactionProofs"`
	StateProofs       []StateProof       `json:"stateProofs"`
}

type BlockID struct {
	Hash      []byte `json:"hash"`
	Total     uint32 `json:"total"`
	PartsHash []byte `json:"partsHash"`
}

type Result struct {
	Code      uint32       `json:"code"`
	Codespace string       `json:"codespace"`
	Log       string       `json:"log"`
	Events    []abci.Event `json:"events"`
}

// ValidatorUpdate is a validator whose power the block changed; power 0 removes it.
type ValidatorUpdate struct {
	PublicKey []byte `json:"publicKey"`
	Power     int64  `json:"power"`
}

type TransactionProof struct {
	Raw      []byte   `json:"raw"`
	Total    int64    `json:"total"`
	Index    int64    `json:"index"`
	LeafHash []byte   `json:"leafHash"`
	Aunts    [][]byte `json:"aunts"`
}

type StateProof struct {
	Store string    `json:"store"`
	Key   []byte    `json:"key"`
	Value []byte    `json:"value"`
	Ops   []ProofOp `json:"ops"`
}

type ProofOp struct {
	Type string `json:"type"`
	Key  []byte `json:"key"`
	Data []byte `json:"data"`
}

// Chain is a whole export.
type Chain struct {
	Genesis GenesisLine
	Blocks  []BlockLine
}

// Read reads an export.
func Read(r io.Reader) (*Chain, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 1<<20), LineBytesMax)
	chain := &Chain{}
	if !scanner.Scan() {
		return nil, fmt.Errorf("the export is empty: %w", scanner.Err())
	}
	if err := json.Unmarshal(scanner.Bytes(), &chain.Genesis); err != nil {
		return nil, fmt.Errorf("the genesis line: %w", err)
	}
	for scanner.Scan() {
		var line BlockLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(chain.Blocks)+2, err)
		}
		chain.Blocks = append(chain.Blocks, line)
	}
	return chain, scanner.Err()
}
