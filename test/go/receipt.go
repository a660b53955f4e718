package verify

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/crypto/merkle"
	cmtjson "github.com/cometbft/cometbft/libs/json"
	"github.com/cometbft/cometbft/light"
	"github.com/cometbft/cometbft/types"
)

// Receipt is a receipt of the gateway, read by CometBFT's own JSON. What it writes as numbers of 32 bits are numbers here.
type Receipt struct {
	ChainID          string        `json:"chainId"`
	TxHash           string        `json:"txHash"`
	Height           uint32        `json:"height"`
	Index            uint32        `json:"index"`
	Transaction      []byte        `json:"transaction"`
	TransactionProof merkle.Proof  `json:"transactionProof"`
	Result           ReceiptResult `json:"result"`
	ResultProof      merkle.Proof  `json:"resultProof"`
	Block            ReceiptBlock  `json:"block"`
	NextBlock        ReceiptBlock  `json:"nextBlock"`
}

type ReceiptResult struct {
	Code      uint32 `json:"code"`
	Data      []byte `json:"data"`
	GasWanted int64  `json:"gas_wanted"`
	GasUsed   int64  `json:"gas_used"`
}

type ReceiptBlock struct {
	Header     *types.Header      `json:"header"`
	Commit     *types.Commit      `json:"commit"`
	Validators []*types.Validator `json:"validators"`
}

// ReadReceipts reads an export of test/receipts/export.ts.
func ReadReceipts(r io.Reader) (*types.GenesisDoc, []*Receipt, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 1<<20), LineBytesMax)
	if !scanner.Scan() {
		return nil, nil, fmt.Errorf("the export is empty: %w", scanner.Err())
	}
	var first struct {
		Genesis []byte `json:"genesis"`
	}
	if err := cmtjson.Unmarshal(scanner.Bytes(), &first); err != nil {
		return nil, nil, err
	}
	genesis, err := types.GenesisDocFromJSON(first.Genesis)
	if err != nil {
		return nil, nil, err
	}
	var receipts []*Receipt
	for scanner.Scan() {
		receipt := &Receipt{}
		if err := cmtjson.Unmarshal(scanner.Bytes(), receipt); err != nil {
			return nil, nil, fmt.Errorf("receipt %d: %w", len(receipts), err)
		}
		receipts = append(receipts, receipt)
	}
	return genesis, receipts, scanner.Err()
}

// VerifyReceipt judges a receipt by the validators of genesis with stock functions alone.
func VerifyReceipt(genesis *types.GenesisDoc, receipt *Receipt) (err error) {
	// Some stock functions panic on malformed input; for a judge that is a verdict, not a crash.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if receipt.ChainID != genesis.ChainID || fmt.Sprintf("%X", types.Tx(receipt.Transaction).Hash()) != receipt.TxHash {
		return errors.New("the chain or the hash is another one")
	}
	trusted := make([]*types.Validator, len(genesis.Validators))
	for i, validator := range genesis.Validators {
		trusted[i] = types.NewValidator(validator.PubKey, validator.Power)
	}
	set := types.NewValidatorSet(trusted)
	block, err := checkReceiptBlock(&receipt.Block, set, int64(receipt.Height))
	if err != nil {
		return fmt.Errorf("block: %w", err)
	}
	next := types.NewValidatorSet(receipt.NextBlock.Validators)
	after, err := checkReceiptBlock(&receipt.NextBlock, next, int64(receipt.Height)+1)
	if err != nil {
		return fmt.Errorf("next block: %w", err)
	}
	now := after.Time.Add(time.Second)
	if err := light.VerifyAdjacent(block, after, next, trustingPeriod, now, maxClockDrift); err != nil {
		return fmt.Errorf("light client: %w", err)
	}
	if !after.LastBlockID.Equals(block.Commit.BlockID) {
		return errors.New("the next block follows another one")
	}
	if receipt.TransactionProof.Index != int64(receipt.Index) || receipt.ResultProof.Index != int64(receipt.Index) || receipt.ResultProof.Total != receipt.TransactionProof.Total {
		return errors.New("the proofs are of different places")
	}
	inclusion := types.TxProof{RootHash: block.DataHash, Data: receipt.Transaction, Proof: receipt.TransactionProof}
	if err := inclusion.Validate(block.DataHash); err != nil {
		return fmt.Errorf("transaction proof: %w", err)
	}
	result := types.NewResults([]*abci.ExecTxResult{{
		Code: receipt.Result.Code, Data: receipt.Result.Data, GasWanted: receipt.Result.GasWanted, GasUsed: receipt.Result.GasUsed,
	}})
	leaf, err := result[0].Marshal()
	if err != nil {
		return err
	}
	if err := receipt.ResultProof.Verify(after.LastResultsHash, leaf); err != nil {
		return fmt.Errorf("result proof: %w", err)
	}
	return nil
}

// checkReceiptBlock judges a header and its commit by a validator set, which the receipt's own has to be.
func checkReceiptBlock(block *ReceiptBlock, set *types.ValidatorSet, height int64) (*types.SignedHeader, error) {
	header := &types.SignedHeader{Header: block.Header, Commit: block.Commit}
	if err := header.ValidateBasic(block.Header.ChainID); err != nil {
		return nil, err
	}
	if !bytes.Equal(set.Hash(), header.ValidatorsHash) || !bytes.Equal(types.NewValidatorSet(block.Validators).Hash(), header.ValidatorsHash) {
		return nil, errors.New("other validators")
	}
	for i, validator := range block.Validators {
		if !bytes.Equal(validator.Address, set.Validators[i].Address) || !bytes.Equal(validator.Address, validator.PubKey.Address()) {
			return nil, fmt.Errorf("validator %d stands in another place or has another address", i)
		}
	}
	if err := set.VerifyCommit(header.ChainID, header.Commit.BlockID, height, header.Commit); err != nil {
		return nil, err
	}
	return header, set.VerifyCommitLight(header.ChainID, header.Commit.BlockID, height, header.Commit)
}
