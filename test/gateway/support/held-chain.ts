/** A service of the embedded engine whose chain.db is written when the test says so: until then the log is ahead of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCaughtUpTo, caughtUpTo, chainAtOnce, type WrittenChain } from '../../../server/app/chain-index.ts';
import { ThreadReads } from '../../../server/app/threads/thread-reads.ts';
import { CommitCount, commitCountMemory } from '../../../server/store/embedded/commit-count.ts';
import { type ChainConnection, countCommits } from '../../../server/store/embedded/connection.ts';
import { VirtualClock } from '../../engine/support/virtual-clock.ts';
import { testGenesis } from '../../ledger/support.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from './embedded-gateway.ts';

export interface HeldChain {
  folder: string;
  clock: VirtualClock;
  commits: CommitCount;
  /** Of `commits`. */
  memory: SharedArrayBuffer;
  running: EmbeddedGateway;
  /** The connection that writes chain.db. */
  sql: ChainConnection;
  /** The last block that chain.db has. */
  readonly height: number;
  /** Nothing is written from now on. */
  hold(): void;
  /** What waits is written, and what comes too. */
  go(): void;
  /** A thread that reads by itself; it is closed with the chain. */
  reads(): ThreadReads;
  close(): Promise<void>;
}

export async function openHeldChain(blockIntervalMs: number): Promise<HeldChain> {
  const genesis = testGenesis();
  const folder = mkdtempSync(join(tmpdir(), 'txledger-held-'));
  const file = join(folder, 'chain.db');
  const clock = new VirtualClock(Date.parse(genesis.genesisTime) + 60_000);
  const memory = commitCountMemory();
  const commits = new CommitCount(memory);
  const opened: ThreadReads[] = [];
  let isHeld = false;
  let sql!: ChainConnection;
  let chain!: WrittenChain;
  const running = await openEmbeddedGateway(folder, {
    clock,
    blockIntervalMs,
    commits,
    onOpen: (connection) => {
      sql = connection;
      countCommits(sql, commits);
    },
    writeChain: ({ log, height }) => {
      chain = chainAtOnce({ sql, file, log, chainId: genesis.chainId, commits });
      return {
        get height() {
          return chain.height;
        },
        get accessSeq() {
          return chain.accessSeq;
        },
        wake: () => (isHeld ? undefined : chain.wake()),
        accessCaughtUp: (seq) => accessCaughtUpTo(commits, seq),
        caughtUp: () => caughtUpTo(commits, height),
        close: () => chain.close(),
      };
    },
  });
  await clock.advance(0);
  const go = (): void => {
    isHeld = false;
    chain.wake();
  };
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return {
    folder,
    clock,
    commits,
    memory,
    running,
    sql,
    get height() {
      return chain.height;
    },
    hold: () => void (isHeld = true),
    go,
    reads: () => {
      const reads = new ThreadReads({ chain: { file, commits: memory }, chainId: genesis.chainId, logger: silent });
      opened.push(reads);
      return reads;
    },
    close: async () => {
      go();
      for (const reads of opened) reads.close();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
