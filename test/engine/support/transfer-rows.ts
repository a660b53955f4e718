/**
 * The rows that the look-up of a transfer by its hash reads. In the product they are written by what settles with a block; an engine that is
 * tested by itself gets them from here, in the same transaction.
 */
import { SEGMENT_BITS } from '../../../server/store/embedded/segments.ts';
import type { ChainConnection } from '../../../server/store/embedded/connection.ts';
import type { ExecutedBlock } from '../../../server/engine/embedded/index.ts';

export function transferRows(sql: ChainConnection): (block: ExecutedBlock) => void {
  const insertAccount = sql.prepare(
    "INSERT INTO accounts (address, balance, nonce, voids) VALUES (?, '0', 0, '') ON CONFLICT DO NOTHING",
  );
  const selectAccount = sql.prepare('SELECT id FROM accounts WHERE address = ?').pluck();
  const idOf = (address: string): number => {
    insertAccount.run(address);
    return selectAccount.get(address) as number;
  };
  const nextSeq = sql.prepare('SELECT coalesce(max(seq), 0) + 1 FROM transfers').pluck();
  const insertTransfer = sql.prepare(
    `INSERT INTO transfers (seq, hash, from_id, to_id, amount, nonce, status, first_seen_at_ms, height, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
  );
  const insertHash = sql.prepare('INSERT INTO by_hash (segment, prefix, seq) VALUES (?, ?, ?)');
  return ({ stored, transactions, results }) => {
    transactions.forEach(({ tx, hash }, position) => {
      if (tx.kind !== 'transfer') return;
      const seq = nextSeq.get() as number;
      const bytes = Buffer.from(hash, 'hex');
      const status = results[position]?.code === 0 ? 1 : 2;
      insertTransfer.run(
        seq,
        bytes,
        idOf(tx.from),
        idOf(tx.to),
        String(tx.amount),
        tx.nonce,
        status,
        stored.height,
        position,
      );
      insertHash.run(seq >> SEGMENT_BITS, bytes.readUIntBE(0, 6), seq);
    });
  };
}
