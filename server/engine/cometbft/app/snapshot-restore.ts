/**
 * Builds the state from a snapshot that other nodes offer: state sync.
 *
 * Nothing that a sender says is believed. A chunk must have the hash that the offer promised, or it is fetched again from another sender;
 * and the whole must give the app hash that the node's light client verified, or it is refused and nothing of it is kept. Only the chain's
 * id is in no app hash, so that the operator must have named it.
 */
import {
  type RequestOfferSnapshot,
  type ResponseApplySnapshotChunk,
  ResponseApplySnapshotChunk_Result as Apply,
  ResponseOfferSnapshot_Result as Offer,
} from 'cosmjs-types/tendermint/abci/types';
import { type AccountRow, LedgerState } from '../../../ledger/index.ts';
import type { Logger } from '../../ports.ts';
import { chunkLines, isChunk, offerFault, readAccount, readHead, SNAPSHOT_FORMAT, type SnapshotHead } from './snapshot-format.ts';
import type { SnapshotInfo } from './store.ts';

export interface RestoreParts {
  /** The chain that this application serves; state sync needs it. */
  readonly chainId: string | undefined;
  readonly logger: Logger;
  /** The state is whole and verified: it takes the place of the empty one. */
  readonly onRestored: (state: LedgerState) => void;
}

interface Session {
  readonly info: SnapshotInfo;
  readonly appHash: Uint8Array;
  readonly rows: AccountRow[];
  head: SnapshotHead | undefined;
  next: number;
}

export class SnapshotRestore {
  readonly #parts: RestoreParts;
  #session: Session | undefined;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  /** `empty`: this application has executed no block yet. */
  offer({ snapshot, appHash }: RequestOfferSnapshot, empty: boolean): Offer {
    this.#session = undefined;
    const { chainId, logger } = this.#parts;
    if (!snapshot) return Offer.REJECT;
    const refuse = (result: Offer, reason: string): Offer => {
      logger.warn({ height: Number(snapshot.height), reason }, 'an offered snapshot is refused');
      return result;
    };
    if (!empty) return refuse(Offer.ABORT, 'this application has a state already; a snapshot goes into an empty one');
    if (chainId === undefined) return refuse(Offer.ABORT, 'TXLEDGER_CHAIN_ID is not set, and no app hash tells which chain a snapshot is of');
    if (snapshot.format !== SNAPSHOT_FORMAT) return refuse(Offer.REJECT_FORMAT, `format ${snapshot.format} is unknown`);
    const info = { ...snapshot, height: Number(snapshot.height) };
    const fault = offerFault(info);
    if (fault !== undefined) return refuse(Offer.REJECT_SENDER, fault);
    this.#session = { info, appHash, rows: [], head: undefined, next: 0 };
    return Offer.ACCEPT;
  }

  apply(index: number, chunk: Uint8Array, sender: string): ResponseApplySnapshotChunk {
    const session = this.#session;
    if (!session) return answer(Apply.ABORT);
    // Verified and read before.
    if (index < session.next) return answer(Apply.ACCEPT);
    // The one that is missing first, then this one again.
    if (index > session.next) return { ...answer(Apply.RETRY), refetchChunks: [session.next] };
    if (!isChunk(session.info.metadata, index, chunk)) {
      this.#parts.logger.warn({ index, sender }, 'a chunk of a snapshot has another hash than was promised; it is fetched from another sender');
      return { result: Apply.RETRY, refetchChunks: [index], rejectSenders: [sender] };
    }
    const fault = readChunk(session, chunk) ?? (session.next === session.info.chunks ? this.#finish(session) : undefined);
    if (fault === undefined) return answer(Apply.ACCEPT);
    this.#parts.logger.warn({ height: session.info.height, reason: fault }, 'a snapshot is refused, and nothing of it is kept');
    this.#session = undefined;
    return answer(Apply.REJECT_SNAPSHOT);
  }

  /** The whole state against the app hash that the node trusts. */
  #finish({ head, rows, info, appHash }: Session): string | undefined {
    if (!head) return 'it has no head';
    if (head.height !== info.height) return `it is of height ${head.height}, offered as ${info.height}`;
    if (head.chainId !== this.#parts.chainId) return `it is of chain ${head.chainId}, this application serves ${this.#parts.chainId}`;
    let state: LedgerState;
    try {
      state = LedgerState.restore(head, { accounts: rows, governance: head.governance, height: head.height });
    } catch (error) {
      return (error as Error).message;
    }
    if (Buffer.compare(state.appHash, appHash) !== 0) return 'its app hash is not the one in the verified header';
    this.#session = undefined;
    this.#parts.onRestored(state);
    return undefined;
  }
}

function answer(result: Apply): ResponseApplySnapshotChunk {
  return { result, refetchChunks: [], rejectSenders: [] };
}

/** Takes a chunk's lines in; the text says what is wrong with them. */
function readChunk(session: Session, chunk: Uint8Array): string | undefined {
  const lines = chunkLines(chunk);
  if (!lines) return `chunk ${session.next} is too large or ends within a line`;
  if (session.next === 0) {
    session.head = readHead(lines.shift());
    if (!session.head) return 'its head is malformed';
  }
  for (const line of lines) {
    const read = readAccount(line);
    if (!read) return `account ${session.rows.length} is malformed`;
    session.rows.push({ ...read, leaf: session.rows.length });
  }
  session.next += 1;
  return undefined;
}
