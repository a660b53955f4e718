/**
 * Whether the rows of a gateway's database fit each other: money, counters, events, signatures, the audit trail. Its blocks are the nodes', so
 * what is compared is what the database says of them in several places.
 */
import { encodeTransaction, type GenesisDocument, type Transfer, txHash, verifyTransaction } from '../../ledger/index.ts';
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

const ROWS_SQL = `SELECT t.seq, t.hash, f.address AS sender, r.address AS receiver, t.from_id AS fromId, t.amount, t.nonce, t.signature, t.owner_id AS ownerId, t.status, t.height, t.reference,
  t.valid_until AS validUntil, f.nonce AS accountNonce, e.height AS eventHeight, coalesce(e.found, 0) AS eventCount
  FROM transfers t LEFT JOIN accounts f ON f.id = t.from_id LEFT JOIN accounts r ON r.id = t.to_id
  LEFT JOIN (SELECT seq, max(height) AS height, count(*) AS found FROM events WHERE seq IS NOT NULL GROUP BY seq) e ON e.seq = t.seq ORDER BY t.seq`;

/** Throws StoreDamagedError with the first difference. @returns how many transfers were looked at. */
export function checkGatewayRows(sql: SqliteConnection, genesis: GenesisDocument, onProgress: (done: number) => void): number {
  const number = (query: string): number => Number(sql.prepare(query).pluck().get());
  const follower = sql.prepare('SELECT chain_id AS chainId, genesis_hash AS genesisHash, height FROM follower').get() as { chainId: string; genesisHash: string; height: number } | undefined;
  if (follower?.chainId !== genesis.chainId || follower.genesisHash !== genesis.hash) throw differs(`the database is of chain ${follower?.chainId} with genesis ${follower?.genesisHash}, and the genesis file of chain ${genesis.chainId} with hash ${genesis.hash}`);
  const reserved = new Map<number, bigint>();
  const pendingOf = new Map<number, number>();
  let pending = 0;
  let settled = 0;
  for (const row of sql.prepare(ROWS_SQL).iterate() as Iterable<Row>) {
    checkTransfer(row, genesis, follower.height);
    if (row.status === PENDING) {
      pending += 1;
      reserved.set(row.fromId, (reserved.get(row.fromId) ?? 0n) + BigInt(row.amount));
      if (row.ownerId !== null) pendingOf.set(row.ownerId, (pendingOf.get(row.ownerId) ?? 0) + 1);
    } else settled += 1;
    onProgress(pending + settled);
  }
  const counters = sql.prepare('SELECT next_seq AS nextSeq, pending FROM counters').get() as { nextSeq: number; pending: number } | undefined;
  if (counters === undefined || counters.nextSeq <= number('SELECT coalesce(max(seq), 0) FROM transfers')) throw differs(`the next number of a transfer, ${counters?.nextSeq}, is given already`);
  if (counters.pending !== pending) throw differs(`${counters.pending} transfers are counted as pending, and ${pending} are`);
  const events = number('SELECT count(*) FROM events WHERE seq IS NOT NULL');
  if (events !== settled) throw differs(`there are ${events} events of transfers, and ${settled} transfers are settled`);
  const voids = number('SELECT count(*) FROM events e JOIN unknown_voids v ON v.height = e.height AND v.idx = e.idx WHERE e.seq IS NULL');
  if (voids !== number('SELECT count(*) FROM events WHERE seq IS NULL') || voids !== number('SELECT count(*) FROM unknown_voids')) throw differs('an event without a transfer has no voided nonce, or the other way round');
  for (const { id, name, pending: counted } of sql.prepare('SELECT id, name, pending FROM owners').iterate() as Iterable<{ id: number; name: string; pending: number }>) {
    if (counted !== (pendingOf.get(id) ?? 0)) throw differs(`owner ${name} is said to have ${counted} pending transfers, and has ${pendingOf.get(id) ?? 0}`);
  }
  checkMoney(sql, genesis, reserved);
  checkAccess(sql, genesis);
  const found = sql.prepare('PRAGMA integrity_check(1)').pluck().get();
  if (found !== 'ok') throw differs(`the database is damaged: ${String(found)}`);
  return pending + settled;
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
  const raw = encodeTransaction(tx);
  if (txHash(raw) !== hex(row.hash).toUpperCase()) throw differs(`${name} is not what its hash says`);
  const verdict = verifyTransaction(genesis, raw);
  if (!verdict.ok) throw differs(`${name} is not what its sender signed: ${verdict.refusal.log}`);
  const isPending = row.status === PENDING;
  if (row.eventCount !== (isPending ? 0 : 1)) throw differs(`${name} has ${row.eventCount} events, and status ${row.status}`);
  if (!isPending && (row.height === null || row.height > height || row.height !== row.eventHeight)) throw differs(`${name} was settled by block ${row.height}, its event by block ${row.eventHeight}, and the database has followed to ${height}`);
  if (isPending !== row.nonce >= row.accountNonce && isExecutedOrPending(row)) throw differs(`${name} has status ${row.status} and nonce ${row.nonce}, and the account's next nonce is ${row.accountNonce}`);
}

/** Others lost their nonce to something that may still be ahead of the account's. */
const isExecutedOrPending = ({ status }: Row): boolean => status === PENDING || status === statusCode('committed');

function checkMoney(sql: SqliteConnection, genesis: GenesisDocument, reserved: ReadonlyMap<number, bigint>): void {
  let sum = 0n;
  for (const row of sql.prepare('SELECT id, address, on_chain AS onChain, balance, reserved FROM accounts').iterate() as Iterable<{ id: number; address: string; onChain: number; balance: string; reserved: string }>) {
    if (row.onChain === 1) sum += BigInt(row.balance);
    else if (row.balance !== '0') throw differs(`the account ${row.address} is not on the chain, and has a balance of ${row.balance}`);
    const held = reserved.get(row.id) ?? 0n;
    if (BigInt(row.reserved) !== held) throw differs(`the account ${row.address} is said to have ${row.reserved} in pending transfers, and has ${held}`);
  }
  const supply = genesis.accounts.reduce((total, { balance }) => total + balance, 0n);
  if (sum !== supply) throw differs(`the balances add up to ${sum}, and genesis gives ${supply}`);
}
