/** Results are not stored but made again from a transaction's bytes and its code: they must be the very ones that executing gave. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  codesOf,
  type Failure,
  failuresOf,
  resultAt,
  resultsOf,
  type StoredResult,
} from '../../server/engine/results.ts';
import {
  type BlockContext,
  CODES,
  finalizeBlock,
  LedgerState,
  type Misbehavior,
  parseGenesis,
  type TxResult,
} from '../../server/ledger/index.ts';
import {
  BLOCK,
  DEV_BALANCE,
  governorAddress,
  signedCancel,
  signedGovernance,
  signedTransfer,
  testGenesis,
} from '../ledger/support.ts';
import { RandomTransactions } from './support/random-transactions.ts';

const stored = ({ code, codespace, log, events }: TxResult): StoredResult => ({ code, codespace, log, events });

/** Executes a block, and compares what it gave with what is made again from what would be stored of it. */
function derived(state: LedgerState, raws: readonly Uint8Array[], context: BlockContext = BLOCK): StoredResult[] {
  const block = finalizeBlock(state, raws, context);
  state.commit(block);
  const given = block.results.map(stored);
  const failures = JSON.parse(JSON.stringify(failuresOf(block.results))) as Failure[];
  expect(resultsOf(raws, failures)).toEqual(given);
  expect(raws.map((raw, index) => resultAt(raw, index, failures))).toEqual(given);
  expect(codesOf(raws.length, failures)).toEqual(given.map(({ code }) => code));
  return given;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../spec/vectors/${name}`, import.meta.url), 'utf8'));

describe('results that are made again', () => {
  test('are what executing gave, for every kind and every code that a block or its bytes can have', () => {
    const chain = read('chain.json') as {
      genesis: string;
      blocks: { height: number; time: number; misbehavior?: Misbehavior[]; transactions: { raw: string }[] }[];
    };
    const parsed = parseGenesis(Buffer.from(chain.genesis));
    if (!parsed.ok) throw new Error(parsed.errors.join());
    const state = LedgerState.fromGenesis(parsed.genesis);
    const seen = chain.blocks.flatMap(({ height, time, misbehavior = [], transactions }) =>
      derived(
        state,
        transactions.map(({ raw }) => Buffer.from(raw)),
        { height, timeNs: BigInt(time) * 1_000_000_000n, misbehavior },
      ),
    );
    const { refused } = read('transactions.json') as { refused: { raw?: string; rawHex?: string }[] };
    seen.push(
      ...derived(
        LedgerState.fromGenesis(testGenesis()),
        refused.map(({ raw, rawHex }) => (raw === undefined ? Buffer.from(rawHex ?? '', 'hex') : Buffer.from(raw))),
      ),
    );
    // The limits of 64 cancellers, 16 governors and 128 validators need more transactions than the vectors have.
    const isElsewhere = (name: string) =>
      ['governance_limit', 'governance_not_available'].includes(name) || /^(block|check)_/.test(name);
    const expected = Object.entries(CODES)
      .flatMap(([name, code]) => (isElsewhere(name) ? [] : [code]))
      .toSorted((a, b) => a - b);
    expect([...new Set(seen.map(({ code }) => code))].toSorted((a, b) => a - b)).toEqual(expected);
    expect([...new Set(seen.flatMap(({ events }) => events.map(({ type }) => type)))].toSorted()).toEqual([
      'cancel',
      'governance',
      'transfer',
      'transfer_failed',
    ]);
  });

  test.each([1, 2, 3, 4])('are what executing gave, for blocks of every kind mixed (seed %i)', (seed) => {
    const made = new RandomTransactions(seed);
    const state = LedgerState.fromGenesis(testGenesis());
    derived(state, made.brokenPromise());
    for (let block = 0; block < 10; block++)
      derived(
        state,
        Array.from({ length: 12 }, () => made.next()),
      );
  });

  test('have the events that a block of these has, attribute by attribute', () => {
    const block = [
      signedCancel({ from: 2, nonce: 9 }),
      signedGovernance(),
      signedTransfer({ amount: 5n }),
      signedTransfer({ from: 1, amount: 2n * DEV_BALANCE }),
    ];
    const events = derived(
      LedgerState.fromGenesis(testGenesis()),
      block.map(({ raw }) => raw),
    ).map(({ events: [event] }) => [
      event?.type,
      ...(event?.attributes ?? []).map(({ key, value, index }) => `${key}=${value} ${index}`),
    ]);
    const [cancel, governance, paid, failed] = block.map(({ tx }) => tx as unknown as Record<string, string>);
    expect(events).toEqual([
      [
        'cancel',
        `from=${cancel?.['from']} true`,
        'nonce=9 true',
        `signer=${cancel?.['signer']} true`,
        `txHash=${cancel?.['txHash']} true`,
      ],
      [
        'governance',
        'action=canceller_add true',
        `subject=${governance?.['subject']} true`,
        'power=0 true',
        'sequence=0 true',
        `signer=${governorAddress(0)} true`,
      ],
      ['transfer', `from=${paid?.['from']} true`, `to=${paid?.['to']} true`, 'amount=5 true', 'nonce=0 true'],
      [
        'transfer_failed',
        `from=${failed?.['from']} true`,
        `to=${failed?.['to']} true`,
        `amount=${2n * DEV_BALANCE} true`,
        'nonce=0 true',
      ],
    ]);
  });

  test('cannot be made of bytes that are no transaction but count as executed: that is a damaged store', () => {
    expect(() => resultAt(Buffer.from('{}'), 0, [])).toThrow('an executed transaction cannot be read again');
  });
});
