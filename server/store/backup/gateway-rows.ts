/**
 * Checks that the rows of a gateway's database fit each other: money, counters, events, signatures, the audit trail. Its blocks are the
 * nodes', so the comparison is between several places of the database.
 */
import {
  encodeTransaction,
  type GenesisDocument,
  type Transfer,
  txHash,
  verifyTransaction,
} from '../../ledger/index.ts';
import { STATUS_CODES, statusCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type { SqliteConnection } from '../sqlite/library.ts';
import { checkAccess } from './access-rows.ts';

const differs = (what: string): StoreDamagedError => new StoreDamagedError(what);
const hex = (bytes: Buffer): string => bytes.toString('hex');
const PENDING = statusCode('pending');

interface Row {
  seq: number;
  hash: Buffer;
  sender: string | null;
  receiver: string | null;
  fromId: number;
  amount: string;
  nonce: number;
  signature: Buffer;
  ownerId: number | null;
  status: number;
  height: number | null;
  reference: string | null;
  validUntil: number | null;
  accountNonce: number;
  eventHeight: number | null;
  eventCount: number;
}

const OF_BOTH = 'seq, hash, from_id, to_id, amount, nonce, signature, owner_id, reference, valid_until';
const ROWS_SQL = `SELECT t.seq, t.hash, f.address AS sender, r.address AS receiver, t.from_id AS fromId, t.amount, t.nonce, t.signature, t.owner_id AS ownerId, t.status, t.height, t.reference,
  t.valid_until AS validUntil, f.nonce AS accountNonce, e.height AS eventHeight, coalesce(e.found, 0) AS eventCount
  FROM (SELECT ${OF_BOTH}, status, height FROM transfers UNION ALL SELECT ${OF_BOTH}, ${PENDING}, NULL FROM pending) t LEFT JOIN accounts f ON f.id = t.from_id LEFT JOIN accounts r ON r.id = t.to_id
  LEFT JOIN (SELECT seq, max(height) AS height, count(*) AS found FROM events WHERE seq IS NOT NULL GROUP BY seq) e ON e.seq = t.seq ORDER BY t.seq`;

/** Throws StoreDamagedError with the first difference. @returns the number of checked transfers. */
export function checkGatewayRows(
  sql: SqliteConnection,
  genesis: GenesisDocument,
  onProgress: (done: number) => void,
): number {
  const number = (query: string): number => Number(sql.prepare(query).pluck().get());
  const follower = sql
    .prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash, height FROM follower')
    .get() as { chainId: string; genesisHash: string; height: number } | undefined;
  if (follower?.chainId !== genesis.chainId || follower.genesisHash !== genesis.hash)
    throw differs(
      `the database is of chain ${follower?.chainId} with genesis ${follower?.genesisHash}, and the genesis file of chain ${genesis.chainId} with hash ${genesis.hash}`,
    );
  const reserved = new Map<number, bigint>();
  /** By owner; null for transfers without one. */
  const pendingOf = new Map<number | null, number>();
  let pending = 0;
  let settled = 0;
  for (const row of sql.prepare(ROWS_SQL).iterate() as Iterable<Row>) {
    checkTransfer(row, genesis, follower.height);
    if (row.status === PENDING) {
      pending += 1;
      reserved.set(row.fromId, (reserved.get(row.fromId) ?? 0n) + BigInt(row.amount));
      pendingOf.set(row.ownerId, (pendingOf.get(row.ownerId) ?? 0) + 1);
    } else settled += 1;
    onProgress(pending + settled);
  }
  checkPlaces(sql);
  const counted = number('SELECT coalesce(sum(pending), 0) FROM shards');
  if (counted !== pending) throw differs(`${counted} transfers are counted as pending, and ${pending} are`);
  const events = number('SELECT count(*) FROM events WHERE seq IS NOT NULL');
  if (events !== settled)
    throw differs(`there are ${events} events of transfers, and ${settled} transfers are settled`);
  const voids = number(
    'SELECT count(*) FROM events e JOIN unknown_voids v ON v.height = e.height AND v.idx = e.idx WHERE e.seq IS NULL',
  );
  if (
    voids !== number('SELECT count(*) FROM events WHERE seq IS NULL') ||
    voids !== number('SELECT count(*) FROM unknown_voids')
  )
    throw differs('an event without a transfer has no voided nonce, or the other way round');
  const owners = sql
    .prepare(
      'SELECT id, name, coalesce((SELECT sum(pending) FROM owner_pending WHERE owner_id = id), 0) AS counted FROM owners',
    )
    .iterate() as Iterable<{ id: number; name: string; counted: number }>;
  for (const { id, name, counted } of owners) {
    const has = pendingOf.get(name === '' ? null : id) ?? 0;
    if (counted !== has) throw differs(`owner ${name} is counted with ${counted} pending transfers, and has ${has}`);
  }
  checkMoney(sql, genesis, reserved);
  checkAccess(sql, genesis);
  const found = sql.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (found !== 'ok') throw differs(`the database is damaged: ${String(found)}`);
  return pending + settled;
}

/**
 * Checks that every number was assigned by its shard, and once; and that no transfer is both pending and settled, or pending where the
 * nonce is used.
 */
function checkPlaces(sql: SqliteConnection): void {
  const shards = sql.prepare('SELECT id, last_seq AS lastSeq FROM shards ORDER BY id').all() as {
    id: number;
    lastSeq: number;
  }[];
  const last = sql
    .prepare('SELECT max((SELECT coalesce(max(seq), 0) FROM transfers), (SELECT coalesce(max(seq), 0) FROM pending))')
    .pluck()
    .get() as number;
  const wrong = shards.find(
    ({ id, lastSeq }, index) => id !== index || ((lastSeq % shards.length) + shards.length) % shards.length !== id,
  );
  if (shards.length === 0 || wrong !== undefined)
    throw differs(`the shards are not those that this program makes: ${JSON.stringify(wrong ?? shards)}`);
  if (Math.max(...shards.map(({ lastSeq }) => lastSeq)) < last)
    throw differs(`the number of a transfer, ${last}, was given by no shard`);
  const twice = sql
    .prepare('SELECT p.seq FROM pending p JOIN transfers t ON t.seq = p.seq OR t.hash = p.hash LIMIT 1')
    .pluck()
    .get();
  if (twice !== undefined) throw differs(`the transfer with seq ${String(twice)} is pending and settled`);
  const held = sql
    .prepare(
      `SELECT p.seq FROM pending p JOIN transfers t ON t.from_id = p.from_id AND t.nonce = p.nonce WHERE t.status = ${statusCode('committed')} OR t.reason IN (1, 5) LIMIT 1`,
    )
    .pluck()
    .get();
  if (held !== undefined) throw differs(`the nonce of the pending transfer with seq ${String(held)} is used`);
}

function checkTransfer(row: Row, genesis: GenesisDocument, height: number): void {
  const name = `the transfer ${hex(row.hash).toUpperCase()}`;
  const { sender: from, receiver: to } = row;
  if (from === null || to === null) throw differs(`${name} names an account that is not there`);
  if (!STATUS_CODES.includes(row.status)) throw differs(`${name} has the unknown status ${row.status}`);
  const tx: Transfer = {
    kind: 'transfer',
    chainId: genesis.chainId,
    from,
    to,
    amount: BigInt(row.amount),
    nonce: row.nonce,
    ...(row.reference !== null && { reference: row.reference }),
    ...(row.validUntil !== null && { validUntil: row.validUntil }),
    signature: hex(row.signature),
  };
  const isPending = row.status === PENDING;
  // A copy of a graduated chain has no signature for a transfer that was settled without being executed itself
  // (store/copy/chain-as-gateway.ts).
  if (isPending || row.signature.length > 0) checkSigned(name, tx, hex(row.hash).toUpperCase(), genesis);
  if (row.eventCount !== (isPending ? 0 : 1))
    throw differs(`${name} has ${row.eventCount} events, and status ${row.status}`);
  if (!isPending && (row.height === null || row.height > height || row.height !== row.eventHeight))
    throw differs(
      `${name} was settled by block ${row.height}, its event by block ${row.eventHeight}, and the database has followed to ${height}`,
    );
  if (isPending !== row.nonce >= row.accountNonce && isExecutedOrPending(row))
    throw differs(
      `${name} has status ${row.status} and nonce ${row.nonce}, and the account's next nonce is ${row.accountNonce}`,
    );
}

function checkSigned(name: string, tx: Transfer, hash: string, genesis: GenesisDocument): void {
  const raw = encodeTransaction(tx);
  if (txHash(raw) !== hash) throw differs(`${name} is not what its hash says`);
  const verdict = verifyTransaction(genesis, raw);
  if (!verdict.ok) throw differs(`${name} is not what its sender signed: ${verdict.refusal.log}`);
}

/** Others lost their nonce to something that may still be ahead of the account's. */
const isExecutedOrPending = ({ status }: Row): boolean => status === PENDING || status === statusCode('committed');

function checkMoney(sql: SqliteConnection, genesis: GenesisDocument, reserved: ReadonlyMap<number, bigint>): void {
  let sum = 0n;
  for (const row of sql
    .prepare('SELECT id, address, on_chain AS onChain, balance, reserved FROM accounts')
    .iterate() as Iterable<{ id: number; address: string; onChain: number; balance: string; reserved: string }>) {
    if (row.onChain === 1) sum += BigInt(row.balance);
    else if (row.balance !== '0')
      throw differs(`the account ${row.address} is not on the chain, and has a balance of ${row.balance}`);
    const held = reserved.get(row.id) ?? 0n;
    if (BigInt(row.reserved) !== held)
      throw differs(`the account ${row.address} is said to have ${row.reserved} in pending transfers, and has ${held}`);
  }
  const supply = genesis.accounts.reduce((total, { balance }) => total + balance, 0n);
  if (sum !== supply) throw differs(`the balances add up to ${sum}, and genesis gives ${supply}`);
}
