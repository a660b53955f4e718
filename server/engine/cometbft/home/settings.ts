/**
 * Settings in a node's config.toml where CometBFT's defaults do not fit this ledger, and the reason for each. Addresses and peers are the
 * operator's.
 */
import type { TomlSettings } from './toml.ts';

export const MEMPOOL_SIZE_DEFAULT = 50_000;
/**
 * Below block.max_bytes of the genesis (100 MiB) with space left for the rest of a block: a node offers its application no more than that,
 * and a cancel behind it would wait. At 1,024 bytes a transaction at most, 50,000 of them are half of it.
 */
const MEMPOOL_BYTES_MAX = 96 * 1024 * 1024;

/**
 * Bytes a second to and from one peer. At CometBFT's 5,120,000 a full block of this ledger, some 50 MB, takes 10 s, which is longer than a
 * round waits for it; at this rate it takes 2.5 s. It is a bound, not a reservation: a link of 200 Mbit/s.
 */
const PEER_BYTES_PER_S = 20_000_000;

export function ledgerSettings(mempoolSize = MEMPOOL_SIZE_DEFAULT): TomlSettings {
  return {
    rpc: {
      max_open_connections: 2000,
      // The gateway broadcasts in batches.
      max_request_batch_size: 100,
    },
    p2p: { send_rate: PEER_BYTES_PER_S, recv_rate: PEER_BYTES_PER_S },
    mempool: {
      size: mempoolSize,
      cache_size: 2 * MEMPOOL_SIZE_DEFAULT,
      max_txs_bytes: MEMPOOL_BYTES_MAX,
      // Removes transactions that a block has made invalid.
      recheck: true,
    },
    consensus: {
      // A validator that is away costs each height at which it is the proposer these two: 3 s and 1 s by default.
      timeout_propose: '2s',
      timeout_precommit: '500ms',
      timeout_commit: '300ms',
      // An idle chain makes one empty block in this time: the service reports itself not ready when the last block is too old.
      create_empty_blocks: true,
      create_empty_blocks_interval: '5s',
      // Number of blocks in which a starting validator looks for signatures of its own key, and halts when it finds one: every restart
      // would have to wait for as many. The sign state beside the key keeps it from signing twice; `validator restore` checks that it is
      // not an old one.
      double_sign_check_height: 0,
    },
    // Followers execute each block and compare with the results that the node kept.
    storage: { discard_abci_responses: false },
    // Needed by /tx.
    tx_index: { indexer: 'kv' },
  };
}

/** A config.toml with these settings only: a node uses its defaults for every other. */
export function settingsText(): string {
  const sections = Object.entries(ledgerSettings()).map(([section, values]) => {
    const lines = Object.entries(values).map(
      ([name, value]) => `${name} = ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
    );
    return `[${section}]\n${lines.join('\n')}\n`;
  });
  return `# What differs from the defaults of CometBFT; \`cometbft init\` in another folder writes them all.\n\n${sections.join('\n')}`;
}
