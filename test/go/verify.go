package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	dbm "github.com/cometbft/cometbft-db"
	abci "github.com/cometbft/cometbft/abci/types"
	"github.com/cometbft/cometbft/crypto/ed25519"
	"github.com/cometbft/cometbft/crypto/merkle"
	"github.com/cometbft/cometbft/libs/log"
	"github.com/cometbft/cometbft/light"
	"github.com/cometbft/cometbft/mempool"
	cmtcrypto "github.com/cometbft/cometbft/proto/tendermint/crypto"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	"github.com/cometbft/cometbft/proxy"
	sm "github.com/cometbft/cometbft/state"
	"github.com/cometbft/cometbft/store"
	"github.com/cometbft/cometbft/types"
)

// A light client's usual settings.
const (
	trustingPeriod = 168 * time.Hour
	maxClockDrift  = 10 * time.Second
)

// recordedApp answers FinalizeBlock with what the export says the application answered.
type recordedApp struct {
	abci.BaseApplication
	blocks []BlockLine
}

func (app *recordedApp) FinalizeBlock(_ context.Context, req *abci.RequestFinalizeBlock) (*abci.ResponseFinalizeBlock, error) {
	line := app.blocks[req.Height-1]
	results := make([]*abci.ExecTxResult, len(line.Results))
	for i, result := range line.Results {
		results[i] = &abci.ExecTxResult{
			Code: result.Code, Codespace: result.Codespace, Log: result.Log, Events: result.Events,
		}
	}
	updates := make([]abci.ValidatorUpdate, len(line.ValidatorUpdates))
	for i, update := range line.ValidatorUpdates {
		updates[i] = abci.UpdateValidator(update.PublicKey, update.Power, ed25519.KeyType)
	}
	return &abci.ResponseFinalizeBlock{TxResults: results, ValidatorUpdates: updates, AppHash: line.AppHash}, nil
}

// Verify judges a whole chain as a stock node and a light client would, from genesis to the last block.
func Verify(chain *Chain) (err error) {
	// Some stock functions panic on malformed input; for a judge that is a verdict, not a crash.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if len(chain.Blocks) == 0 {
		return errors.New("the chain has no block")
	}
	genesis, err := types.GenesisDocFromJSON(chain.Genesis.Genesis)
	if err != nil {
		return fmt.Errorf("genesis: %w", err)
	}
	state, err := sm.MakeGenesisState(genesis)
	if err != nil {
		return fmt.Errorf("genesis state: %w", err)
	}
	// What the handshake sets before the first block: the application's answers to Info and InitChain, and the hash of no results.
	state.Version.Consensus.App = chain.Genesis.AppVersion
	state.AppHash = chain.Genesis.AppHash
	state.LastResultsHash = merkle.HashFromByteSlices(nil)

	conns := proxy.NewAppConns(proxy.NewLocalClientCreator(&recordedApp{blocks: chain.Blocks}), proxy.NopMetrics())
	if err := conns.Start(); err != nil {
		return err
	}
	defer func() { _ = conns.Stop() }()
	states := sm.NewStore(dbm.NewMemDB(), sm.StoreOptions{})
	if err := states.Save(state); err != nil {
		return err
	}
	blocks := store.NewBlockStore(dbm.NewMemDB())
	executor := sm.NewBlockExecutor(states, log.NewNopLogger(), conns.Consensus(), &mempool.NopMempool{}, sm.EmptyEvidencePool{}, blocks)

	client := lightClient{}
	for i := range chain.Blocks {
		line := &chain.Blocks[i]
		block, parts, commit, err := checkBlock(genesis.ChainID, state, line)
		if err != nil {
			return fmt.Errorf("height %d: %w", line.Height, err)
		}
		if client.previous != nil && !bytes.Equal(client.previous.Commit.Hash(), block.LastCommitHash) {
			return fmt.Errorf("height %d: the block carries another commit of the block before it", line.Height)
		}
		header := &types.SignedHeader{Header: &block.Header, Commit: commit}
		if err := client.check(header, state.Validators, state.NextValidators); err != nil {
			return fmt.Errorf("height %d: light client: %w", line.Height, err)
		}
		if state, err = executor.ApplyBlock(state, commit.BlockID, block); err != nil {
			return fmt.Errorf("height %d: ApplyBlock: %w", line.Height, err)
		}
		blocks.SaveBlock(block, parts, commit)
		if err := checkStateProofs(line); err != nil {
			return fmt.Errorf("height %d: %w", line.Height, err)
		}
	}
	return nil
}

// checkBlock judges one block and the commit for it, by themselves and against the state before it.
func checkBlock(chainID string, state sm.State, line *BlockLine) (*types.Block, *types.PartSet, *types.Commit, error) {
	fail := func(what string, err error) (*types.Block, *types.PartSet, *types.Commit, error) {
		return nil, nil, nil, fmt.Errorf("%s: %w", what, err)
	}
	var blockProto cmtproto.Block
	if err := blockProto.Unmarshal(line.Block); err != nil {
		return fail("block bytes", err)
	}
	block, err := types.BlockFromProto(&blockProto)
	if err != nil {
		return fail("BlockFromProto", err)
	}
	if err := block.ValidateBasic(); err != nil {
		return fail("ValidateBasic", err)
	}
	parts, err := block.MakePartSet(types.BlockPartSizeBytes)
	if err != nil {
		return fail("MakePartSet", err)
	}
	// A stock node marshals a block again before it makes parts, so bytes that differ from that would not survive it.
	again, err := blockProto.Marshal()
	if err != nil || !bytes.Equal(again, line.Block) {
		return fail("block bytes", errors.New("a stock node would write other bytes for this block"))
	}
	id := types.BlockID{
		Hash:          line.BlockID.Hash,
		PartSetHeader: types.PartSetHeader{Total: line.BlockID.Total, Hash: line.BlockID.PartsHash},
	}
	if !bytes.Equal(block.Hash(), id.Hash) || !parts.HasHeader(id.PartSetHeader) {
		return fail("block id", errors.New("the block's hash or parts are others"))
	}

	var commitProto cmtproto.Commit
	if err := commitProto.Unmarshal(line.Commit); err != nil {
		return fail("commit bytes", err)
	}
	commit, err := types.CommitFromProto(&commitProto)
	if err != nil {
		return fail("CommitFromProto", err)
	}
	if err := state.Validators.VerifyCommit(chainID, id, line.Height, commit); err != nil {
		return fail("VerifyCommit", err)
	}
	if err := state.Validators.VerifyCommitLight(chainID, id, line.Height, commit); err != nil {
		return fail("VerifyCommitLight", err)
	}
	for i, sig := range commit.Signatures {
		// Of who was late there is nothing.
		if sig.BlockIDFlag != types.BlockIDFlagAbsent && !bytes.Equal(sig.ValidatorAddress, state.Validators.Validators[i].Address) {
			return fail("commit", errors.New("a signature names another validator"))
		}
	}

	for _, proof := range line.TransactionProofs {
		txProof := types.TxProof{
			RootHash: block.DataHash,
			Data:     proof.Raw,
			Proof:    merkle.Proof{Total: proof.Total, Index: proof.Index, LeafHash: proof.LeafHash, Aunts: proof.Aunts},
		}
		if err := txProof.Validate(block.DataHash); err != nil {
			return fail("transaction proof", err)
		}
		if !bytes.Equal(block.Txs[proof.Index], proof.Raw) {
			return fail("transaction proof", errors.New("another transaction stands at this index"))
		}
	}
	return block, parts, commit, nil
}

// lightClient verifies each header from the one before it, and from an earlier one that it trusts while a third of its validators are left.
type lightClient struct {
	trusted, previous         *types.SignedHeader
	trustedNext, previousNext *types.ValidatorSet
}

func (client *lightClient) check(header *types.SignedHeader, validators, next *types.ValidatorSet) error {
	defer func() { client.previous, client.previousNext = header, next.Copy() }()
	if client.previous == nil {
		client.trusted, client.trustedNext = header, next.Copy()
		return header.ValidateBasic(header.ChainID)
	}
	now := header.Time.Add(time.Second)
	if err := light.VerifyAdjacent(client.previous, header, validators, trustingPeriod, now, maxClockDrift); err != nil {
		return err
	}
	if header.Height <= client.trusted.Height+1 {
		return nil
	}
	err := light.VerifyNonAdjacent(client.trusted, client.trustedNext, header, validators, trustingPeriod, now, maxClockDrift, light.DefaultTrustLevel)
	if errors.As(err, &light.ErrNewValSetCantBeTrusted{}) {
		// So much power moved since: a light client would bisect, and trust a header in between.
		client.trusted, client.trustedNext = client.previous, client.previousNext
		return nil
	}
	return err
}

// checkStateProofs verifies values of the state after a block with the proof runtime that the light proxy uses.
func checkStateProofs(line *BlockLine) error {
	for _, proof := range line.StateProofs {
		ops := make([]cmtcrypto.ProofOp, len(proof.Ops))
		for i, op := range proof.Ops {
			ops[i] = cmtcrypto.ProofOp{Type: op.Type, Key: op.Key, Data: op.Data}
		}
		path := merkle.KeyPath{}.
			AppendKey([]byte(proof.Store), merkle.KeyEncodingURL).
			AppendKey(proof.Key, merkle.KeyEncodingURL)
		err := merkle.DefaultProofRuntime().VerifyValue(&cmtcrypto.ProofOps{Ops: ops}, line.AppHash, path.String(), proof.Value)
		if err != nil {
			return fmt.Errorf("state proof of %s/%s: %w", proof.Store, proof.Key, err)
		}
	}
	return nil
}
