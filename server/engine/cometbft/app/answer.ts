/** Answers one ABCI request with one response: calls the application's method for it. */
import type { Request, Response } from 'cosmjs-types/tendermint/abci/types';
import { ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus } from 'cosmjs-types/tendermint/abci/types';
import type { Application } from './application.ts';
import { CHECKED_WELL } from './messages.ts';

const NO_BYTES = new Uint8Array(0);
/** Frozen, so that the server encodes it once. */
const CHECKED: Response = Object.freeze({ checkTx: CHECKED_WELL });
const FLUSHED: Response = Object.freeze({ flush: {} });

/** Returns undefined for a request that ABCI 2.0 does not define. Throws what the application throws. */
export function answerRequest(app: Application, request: Request): Response | undefined {
  // The two most frequent requests first.
  if (request.checkTx) {
    const checkTx = app.checkTx(request.checkTx);
    return checkTx === CHECKED_WELL ? CHECKED : { checkTx };
  }
  if (request.flush) return FLUSHED;
  if (request.query) return { query: app.query(request.query) };
  if (request.prepareProposal) return { prepareProposal: app.prepareProposal(request.prepareProposal) };
  if (request.processProposal) return { processProposal: app.processProposal(request.processProposal) };
  if (request.finalizeBlock) return { finalizeBlock: app.finalizeBlock(request.finalizeBlock) };
  if (request.commit) return { commit: app.commit() };
  if (request.info) return { info: app.info() };
  if (request.echo) return { echo: { message: request.echo.message } };
  if (request.initChain) return { initChain: app.initChain(request.initChain) };
  if (request.listSnapshots) return { listSnapshots: app.listSnapshots() };
  if (request.offerSnapshot) return { offerSnapshot: app.offerSnapshot(request.offerSnapshot) };
  if (request.loadSnapshotChunk) return { loadSnapshotChunk: app.loadSnapshotChunk(request.loadSnapshotChunk) };
  if (request.applySnapshotChunk) return { applySnapshotChunk: app.applySnapshotChunk(request.applySnapshotChunk) };
  // Every genesis of this ledger leaves vote extensions off, so a node never requests one and no extension is valid.
  if (request.extendVote) return { extendVote: { voteExtension: NO_BYTES } };
  if (request.verifyVoteExtension) {
    const { length } = request.verifyVoteExtension.voteExtension;
    return { verifyVoteExtension: { status: length === 0 ? VerifyStatus.ACCEPT : VerifyStatus.REJECT } };
  }
  return undefined;
}
