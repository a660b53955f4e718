/** The context that the methods answer from, and the type of a method. */
import type { GenesisDocument } from '../../../ledger/index.ts';
import type { Clock } from '../../ports.ts';
import type { BroadcastResult } from '../../port.ts';
import type { Chain } from '../chain.ts';
import type { Mempool } from '../mempool.ts';
import type { Searcher } from '../../search/searcher.ts';
import type { Arguments } from '../../rpc/arguments.ts';
import type { BlockReader } from './block-reader.ts';
import type { GenesisText } from './genesis-text.ts';

export interface RpcContext {
  genesis: GenesisDocument;
  genesisText: GenesisText;
  chain: Chain;
  mempool: Mempool;
  reader: BlockReader;
  searcher: Searcher;
  clock: Clock;
  blockIntervalMs: number;
  broadcast: (raw: Uint8Array) => Promise<BroadcastResult>;
  /** Resolves with the latest height once it is at least this, or at the timeout. */
  waitForHeight: (height: number, timeoutMs: number) => Promise<number>;
}

/** Returns the value of "result" as it goes into JSON, or its text as a JsonText; throws an RpcFailure where CometBFT answers an error. */
export type RpcHandler = (context: RpcContext, args: Arguments) => unknown;
