package verify

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	dbm "github.com/cometbft/cometbft-db"
	sm "github.com/cometbft/cometbft/state"
	"github.com/cometbft/cometbft/store"
)

// ReadHome reads all blocks of a stopped node with CometBFT's own stores, and compares what they say of each height with its header.
func ReadHome(home string) (*Chain, error) {
	data := filepath.Join(home, "data")
	blockDB, err := dbm.NewGoLevelDB("blockstore", data)
	if err != nil {
		return nil, err
	}
	defer blockDB.Close()
	stateDB, err := dbm.NewGoLevelDB("state", data)
	if err != nil {
		return nil, err
	}
	defer stateDB.Close()
	genesis, err := os.ReadFile(filepath.Join(home, "config", "genesis.json"))
	if err != nil {
		return nil, err
	}
	blocks := store.NewBlockStore(blockDB)
	states := sm.NewStore(stateDB, sm.StoreOptions{})
	state, err := states.Load()
	if err != nil {
		return nil, err
	}
	if blocks.Base() != 1 || state.LastBlockHeight > blocks.Height() || state.LastBlockHeight < blocks.Height()-1 {
		return nil, fmt.Errorf("blocks from %d to %d, and the state after %d", blocks.Base(), blocks.Height(), state.LastBlockHeight)
	}
	chain := &Chain{Genesis: GenesisLine{Genesis: genesis, AppVersion: state.Version.Consensus.App}}
	for height := int64(1); height <= state.LastBlockHeight; height++ {
		line, err := readHeight(blocks, states, height)
		if err != nil {
			return nil, fmt.Errorf("height %d: %w", height, err)
		}
		chain.Blocks = append(chain.Blocks, *line)
	}
	chain.Genesis.AppHash = blocks.LoadBlockMeta(1).Header.AppHash
	last := chain.Blocks[len(chain.Blocks)-1]
	if !bytes.Equal(state.AppHash, last.AppHash) || !bytes.Equal(state.LastBlockID.Hash, last.BlockID.Hash) {
		return nil, fmt.Errorf("the state after %d is of another block", state.LastBlockHeight)
	}
	response, err := states.LoadLastFinalizeBlockResponse(blocks.Height())
	if err == nil && blocks.Height() == state.LastBlockHeight && !bytes.Equal(response.AppHash, last.AppHash) {
		err = fmt.Errorf("it names another application hash")
	}
	if err != nil {
		return nil, fmt.Errorf("the last response: %w", err)
	}
	return chain, nil
}

func readHeight(blocks *store.BlockStore, states sm.Store, height int64) (*BlockLine, error) {
	block := blocks.LoadBlock(height)
	meta := blocks.LoadBlockMeta(height)
	seen := blocks.LoadSeenCommit(height)
	if block == nil || meta == nil || seen == nil {
		return nil, fmt.Errorf("block, meta or seen commit is missing")
	}
	if seen.Height != height || !seen.BlockID.Equals(meta.BlockID) {
		return nil, fmt.Errorf("its seen commit is of another block")
	}
	// Of several validators a node may have seen others' votes than the next proposer: what counts is in the next block.
	commit := blocks.LoadBlockCommit(height)
	if commit == nil {
		commit = seen
	}
	blockProto, err := block.ToProto()
	if err != nil {
		return nil, err
	}
	raw, err := blockProto.Marshal()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(meta.Header.Hash(), block.Hash()) || meta.BlockSize != len(raw) || meta.NumTxs != len(block.Txs) {
		return nil, fmt.Errorf("its meta is of another block")
	}
	if found := blocks.LoadBlockByHash(block.Hash()); found == nil || found.Height != height {
		return nil, fmt.Errorf("it is not found by its hash")
	}
	if before := blocks.LoadBlockCommit(height - 1); before == nil || !bytes.Equal(before.Hash(), block.LastCommitHash) {
		return nil, fmt.Errorf("the commit of the block before is another one")
	}
	commitRaw, err := commit.ToProto().Marshal()
	if err != nil {
		return nil, err
	}
	if err := checkHeightStates(states, height, block.ValidatorsHash, block.NextValidatorsHash, block.ConsensusHash); err != nil {
		return nil, err
	}
	response, err := states.LoadFinalizeBlockResponse(height)
	if err != nil {
		return nil, err
	}
	line := &BlockLine{
		Height:  height,
		Block:   raw,
		BlockID: BlockID{Hash: meta.BlockID.Hash, Total: meta.BlockID.PartSetHeader.Total, PartsHash: meta.BlockID.PartSetHeader.Hash},
		Commit:  commitRaw,
		AppHash: response.AppHash,
	}
	for _, result := range response.TxResults {
		line.Results = append(line.Results, Result{Code: result.Code, Codespace: result.Codespace, Log: result.Log, Events: result.Events})
	}
	for _, update := range response.ValidatorUpdates {
		line.ValidatorUpdates = append(line.ValidatorUpdates, ValidatorUpdate{PublicKey: update.PubKey.GetEd25519(), Power: update.Power})
	}
	return line, nil
}

// checkHeightStates asks the stock store who signs and what counts at a height: it finds them through the height at which they changed last.
func checkHeightStates(states sm.Store, height int64, validatorsHash, nextHash, paramsHash []byte) error {
	validators, err := states.LoadValidators(height)
	if err != nil {
		return err
	}
	next, err := states.LoadValidators(height + 1)
	if err != nil {
		return err
	}
	params, err := states.LoadConsensusParams(height)
	if err != nil {
		return err
	}
	if !bytes.Equal(validators.Hash(), validatorsHash) || !bytes.Equal(next.Hash(), nextHash) || !bytes.Equal(params.Hash(), paramsHash) {
		return fmt.Errorf("validators or parameters of the store are not those of the header")
	}
	return nil
}
