/**
 * Builds the state from a snapshot that other nodes offer: state sync.
 *
 * No sender is trusted. A chunk must have the hash that the offer promised, or it is fetched again from another sender; and the whole must
 * give the app hash that the node's light client verified, or it is refused and nothing of it is kept. Only the chain's id is not in an app
 * hash, so the operator must have configured it.
 *
 * A forged snapshot has forged hashes too, so it can be detected only at its end. Until then each chunk is read once, for the app hash, and
 * is stored on disk: a forgery of any size costs one chunk of memory, and at most SNAPSHOT_BYTES_MAX of disk until it is detected.
 */
import {
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunk,
  ResponseApplySnapshotChunk_Result as Apply,
  ResponseOfferSnapshot_Result as Offer,
} from 'cosmjs-types/tendermint/abci/types';
import { type AccountRow, StateRoot } from '../../../ledger/index.ts';
import type { Logger } from '../../ports.ts';
import {
  chunkLines,
  isChunk,
  offerFault,
  readAccount,
  readHead,
  SNAPSHOT_FORMAT,
  type SnapshotHead,
} from './snapshot-format.ts';
import { SNAPSHOTS_KEPT } from './snapshot-taker.ts';
import type { SnapshotInfo, SnapshotStore, StoredState } from './store.ts';

/** Chunks between two log lines: 32 MiB, some 400,000 accounts. */
const PROGRESS_CHUNKS = 16;

export interface RestoreParts {
  /** The chain that this application serves; state sync needs it. */
  readonly chainId: string | undefined;
  /** Store of the chunks until the whole is verified. */
  readonly snapshots: Pick<SnapshotStore, 'putChunk' | 'finish' | 'chunk' | 'discard'>;
  readonly logger: Logger;
  /**
   * Called with the whole, verified state: it replaces the empty one. Its accounts are read from the chunks, once, as they are iterated.
   */
  readonly onRestored: (state: StoredState) => void;
}

interface Session {
  readonly info: SnapshotInfo;
  readonly appHash: Uint8Array;
  readonly root: StateRoot;
  head: SnapshotHead | undefined;
  next: number;
}

export class SnapshotRestore {
  readonly #parts: RestoreParts;
  #session: Session | undefined;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  /** Accepts or rejects a snapshot. `empty`: this application has executed no block yet. */
  offer({ snapshot, appHash }: RequestOfferSnapshot, empty: boolean): Offer {
    this.#drop();
    const { chainId, logger } = this.#parts;
    if (!snapshot) return Offer.REJECT;
    const refuse = (result: Offer, reason: string): Offer => {
      logger.warn({ height: Number(snapshot.height), reason }, 'an offered snapshot is refused');
      return result;
    };
    if (!empty) return refuse(Offer.ABORT, 'this application has a state already; a snapshot goes into an empty one');
    if (chainId === undefined)
      return refuse(Offer.ABORT, 'TXLEDGER_CHAIN_ID is not set, and no app hash tells which chain a snapshot is of');
    if (snapshot.format !== SNAPSHOT_FORMAT) return refuse(Offer.REJECT_FORMAT, `format ${snapshot.format} is unknown`);
    const info = { ...snapshot, height: Number(snapshot.height) };
    const fault = offerFault(info);
    if (fault !== undefined) return refuse(Offer.REJECT_SENDER, fault);
    // Chunks that an earlier process left under this height would be mixed with it.
    this.#parts.snapshots.discard(info.height);
    this.#session = { info, appHash, root: new StateRoot(), head: undefined, next: 0 };
    return Offer.ACCEPT;
  }

  apply(index: number, chunk: Uint8Array, sender: string): ResponseApplySnapshotChunk {
    const session = this.#session;
    if (!session) return answer(Apply.ABORT);
    // Verified and read before.
    if (index < session.next) return answer(Apply.ACCEPT);
    // Fetch the missing chunk first, then this one again.
    if (index > session.next) return { ...answer(Apply.RETRY), refetchChunks: [session.next] };
    if (!isChunk(session.info.metadata, index, chunk)) {
      this.#parts.logger.warn(
        { index, sender },
        'a chunk of a snapshot has another hash than was promised; it is fetched from another sender',
      );
      return { result: Apply.RETRY, refetchChunks: [index], rejectSenders: [sender] };
    }
    const fault =
      this.#take(session, chunk) ?? (session.next === session.info.chunks ? this.#finish(session) : undefined);
    if (fault === undefined) return answer(Apply.ACCEPT);
    this.#parts.logger.warn(
      { height: session.info.height, reason: fault },
      'a snapshot is refused, and nothing of it is kept',
    );
    this.#drop();
    return answer(Apply.REJECT_SNAPSHOT);
  }

  #take(session: Session, chunk: Uint8Array): string | undefined {
    const fault = readChunk(session, chunk, this.#parts.chainId);
    if (fault !== undefined) return fault;
    try {
      this.#parts.snapshots.putChunk(session.info.height, session.next, chunk);
    } catch (error) {
      return `chunk ${session.next} could not be kept: ${(error as Error).message}`;
    }
    session.next += 1;
    const { height, chunks } = session.info;
    if (session.next % PROGRESS_CHUNKS === 0)
      this.#parts.logger.info({ height, chunk: session.next, chunks }, 'a snapshot is being fetched');
    if (session.next === chunks)
      this.#parts.logger.info({ height, accounts: session.root.leaves }, 'a snapshot is whole and is being written');
    return undefined;
  }

  /** Verifies the whole state against the app hash that the node trusts; only then is it opened. */
  #finish({ head, root, info, appHash }: Session): string | undefined {
    if (!head) return 'it has no head';
    if (Buffer.compare(root.appHash(head.governance), appHash) !== 0)
      return 'its app hash is not the one in the verified header';
    const { snapshots } = this.#parts;
    try {
      snapshots.finish(info, SNAPSHOTS_KEPT);
    } catch (error) {
      return (error as Error).message;
    }
    this.#session = undefined;
    const { chainId, addressPrefix, height, governance } = head;
    this.#parts.onRestored({
      chain: { chainId, addressPrefix },
      height,
      appHash,
      governance,
      accounts: rowsOf(info, snapshots),
    });
    return undefined;
  }

  /** Discards the snapshot in progress. */
  #drop(): void {
    if (this.#session) this.#parts.snapshots.discard(this.#session.info.height);
    this.#session = undefined;
  }
}

/** The accounts of a verified snapshot. Throws when the disk does not return what was written to it. */
function* rowsOf(
  { height, format, chunks, metadata }: SnapshotInfo,
  snapshots: Pick<SnapshotStore, 'chunk'>,
): Iterable<AccountRow> {
  let leaf = 0;
  for (let index = 0; index < chunks; index++) {
    const chunk = snapshots.chunk(height, format, index) ?? NO_BYTES;
    if (!isChunk(metadata, index, chunk))
      throw new Error(`chunk ${index} of the snapshot is not on the disk as it was put there`);
    const lines = chunkLines(chunk) ?? [];
    for (const line of index === 0 ? lines.slice(1) : lines) {
      const read = readAccount(line);
      if (read) yield { ...read, leaf: leaf++ };
    }
  }
}

const NO_BYTES = new Uint8Array(0);

function answer(result: Apply): ResponseApplySnapshotChunk {
  return { result, refetchChunks: [], rejectSenders: [] };
}

/** Adds a chunk's accounts to the app hash; the returned text says what is wrong with them. */
function readChunk(session: Session, chunk: Uint8Array, chainId: string | undefined): string | undefined {
  const lines = chunkLines(chunk);
  if (!lines) return `chunk ${session.next} is too large or ends within a line`;
  if (session.next === 0) {
    session.head = readHead(lines.shift());
    if (!session.head) return 'its head is malformed';
    if (session.head.height !== session.info.height)
      return `it is of height ${session.head.height}, offered as ${session.info.height}`;
    if (session.head.chainId !== chainId)
      return `it is of chain ${session.head.chainId}, this application serves ${chainId}`;
  }
  for (const line of lines) {
    const read = readAccount(line);
    if (!read) return `account ${session.root.leaves} is malformed`;
    session.root.add(read.address, read.account);
  }
  return undefined;
}
