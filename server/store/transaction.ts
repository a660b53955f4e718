/** Binds the queries to one transaction. One line each: the queries live in queries/, a file for each subject. */
import {
  allBindings,
  bindingPage,
  bindings,
  expireToken,
  insertToken,
  markTokensUsed,
  removeBinding,
  revokeToken,
  saveBinding,
  setTokenLimits,
  setTokenScopes,
  token,
  tokenPage,
  tokens,
} from './queries/access.ts';
import { accountsByAddress, accountsById, insertAccounts, saveAccounts } from './queries/accounts.ts';
import { webhookCounts } from './webhooks/queries.ts';
import { appendAudit, auditEntries, lastProcessAudit, submission } from './queries/audit.ts';
import {
  advanceFollower,
  createFollower,
  follower,
  governance,
  saveGovernance,
  saveUptime,
  saveValidatorSets,
  validatorSets,
} from './queries/chain.ts';
import type { QueryContext } from './queries/context.ts';
import { sendAll } from './queries/context.ts';
import { appendEvents, listEvents, voidByHash } from './queries/events.ts';
import { groupStanding, saveAccepted } from './queries/groups.ts';
import { transfersByKey } from './queries/idempotency.ts';
import { listTransfers } from './queries/listing.ts';
import { saveShards, shards, takeFromOwners, takeIds } from './queries/owners.ts';
import {
  insertTransfers,
  requestCancels,
  requestExpiry,
  requestValidityExpiry,
  settleTransfers,
} from './queries/transfer-writes.ts';
import {
  cancelsRequested,
  pendingAfter,
  pendingChanged,
  pendingNonces,
  pendingNoncesOf,
  pendingTransfers,
  settledAmong,
  transferByHash,
  transfersAt,
  transfersByHash,
  transfersBySeq,
} from './queries/transfers.ts';
import type { Questions, ReadTransaction, Store, WriteTransaction } from './types.ts';

/** `shardCount`: of the database. */
export function readTransaction(context: QueryContext, shardCount: number): ReadTransaction {
  return {
    follower: () => follower(context),
    governance: () => governance(context),
    validatorSets: () => validatorSets(context),
    accountsByAddress: (addresses) => accountsByAddress(context, addresses),
    accountsById: (ids) => accountsById(context, ids),
    transferByHash: (hash, of) => transferByHash(context, hash, of),
    voidByHash: (hash) => voidByHash(context, hash),
    transfersByHash: (hashes) => transfersByHash(context, hashes),
    transfersAt: (slots) => transfersAt(context, slots),
    transfersByKey: (keys) => transfersByKey(context, keys),
    listTransfers: (query) => listTransfers(context, query),
    events: (query) => listEvents(context, query),
    pendingTransfers: () => pendingTransfers(context),
    pendingAfter: (positions, limit) => pendingAfter(context, shardCount, positions, limit),
    transfersBySeq: (seqs) => transfersBySeq(context, seqs),
    pendingNonces: (accountIds) => pendingNonces(context, accountIds),
    pendingNoncesOf: (addresses) => pendingNoncesOf(context, addresses),
    cancelsRequested: () => cancelsRequested(context),
    pendingChanged: (known) => pendingChanged(context, known),
    settledAmong: (hashes) => settledAmong(context, hashes),
    shards: () => shards(context),
    groupStanding: (needs) => groupStanding(context, needs),
    bindings: (addresses) => bindings(context, addresses),
    allBindings: () => allBindings(context),
    token: (id) => token(context, id),
    tokens: () => tokens(context),
    tokenPage: (query) => tokenPage(context, query),
    bindingPage: (query) => bindingPage(context, query),
    auditEntries: (query) => auditEntries(context, query),
    lastProcessAudit: () => lastProcessAudit(context),
    webhookCounts: () => webhookCounts(context),
    submission: (hash) => submission(context, hash),
  };
}

/** `locked`: the shards that it has. */
export function writeTransaction(
  context: QueryContext,
  shardCount: number,
  locked: WriteTransaction['locked'],
): WriteTransaction {
  return {
    ...readTransaction(context, shardCount),
    locked,
    takeIds: (counts) => takeIds(context, counts),
    saveShards: (changed) => saveShards(context, changed),
    saveAccepted: (rows) => saveAccepted(context, rows),
    takeFromOwners: (settled) => takeFromOwners(context, settled),
    insertAccounts: (accounts) => insertAccounts(context, accounts),
    saveAccounts: (accounts) => saveAccounts(context, accounts),
    insertTransfers: (transfers) => insertTransfers(context, transfers),
    settleTransfers: (settlements) => settleTransfers(context, settlements),
    appendEvents: (events, idOf) => appendEvents(context, events, idOf),
    requestCancels: (cancels, atMs) => requestCancels(context, cancels, atMs),
    requestExpiry: (seen, limit, atMs) => requestExpiry(context, seen, limit, atMs),
    requestValidityExpiry: (validUntilMax, limit, atMs) => requestValidityExpiry(context, validUntilMax, limit, atMs),
    createFollower: (state) => createFollower(context, state),
    advanceFollower: (to, parentHash) => advanceFollower(context, to, parentHash),
    saveUptime: (uptimeMs) => saveUptime(context, uptimeMs),
    saveGovernance: (state) => saveGovernance(context, state),
    saveValidatorSets: (sets) => saveValidatorSets(context, sets),
    insertToken: (made) => insertToken(context, made),
    revokeToken: (id, atMs) => revokeToken(context, id, atMs),
    expireToken: (id, atMs) => expireToken(context, id, atMs),
    setTokenScopes: (id, scopes) => setTokenScopes(context, id, scopes),
    setTokenLimits: (id, limits) => setTokenLimits(context, id, limits),
    saveBinding: (binding) => saveBinding(context, binding),
    removeBinding: (address) => removeBinding(context, address),
    markTokensUsed: (uses) => markTokensUsed(context, uses),
    appendAudit: (entries) => appendAudit(context, entries),
    announce: async (change) => {
      const statement = context.fragments.announce?.(change);
      if (statement !== undefined) await sendAll(context, [statement]);
    },
  };
}

/** Written into the database when it was made, so that all gateways on it count alike. */
export async function countShards(db: QueryContext['db']): Promise<number> {
  const { count } = await db
    .selectFrom('shards')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Each query in a transaction of its own: for a store in which that costs nothing. */
export function questionsThrough(read: Store['read']): Questions {
  return {
    governance: () => read((tx) => tx.governance()),
    transferByHash: (hash) => read((tx) => tx.transferByHash(hash)),
    voidByHash: (hash) => read((tx) => tx.voidByHash(hash)),
    cancelsRequested: () => read((tx) => tx.cancelsRequested()),
    bindings: (addresses) => read((tx) => tx.bindings(addresses)),
    allBindings: () => read((tx) => tx.allBindings()),
    token: (id) => read((tx) => tx.token(id)),
    tokens: () => read((tx) => tx.tokens()),
    tokenPage: (query) => read((tx) => tx.tokenPage(query)),
    bindingPage: (query) => read((tx) => tx.bindingPage(query)),
    auditEntries: (query) => read((tx) => tx.auditEntries(query)),
    lastProcessAudit: () => read((tx) => tx.lastProcessAudit()),
    submission: (hash) => read((tx) => tx.submission(hash)),
    webhookCounts: () => read((tx) => tx.webhookCounts()),
  };
}
