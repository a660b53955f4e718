/** Previews a run of `send --file` for a person, who then agrees to it. Nothing is sent. @module */
import { listAccounts } from '../../../client/src/actions/listAccounts.ts';
import { eachTransaction } from '../../../client/src/actions/eachTransaction.ts';
import type { CallOptions } from '../../../client/src/deadline.ts';
import type { Client, Transaction } from '../../../client/src/index.ts';
import { amountsIn } from '../amounts.ts';
import { facts } from '../output.ts';
import { placeOf, type FileFault, type Place } from './file-faults.ts';
import type { FilePayment } from './payment-file.ts';
import { isOpen, type Plan } from './plan.ts';
import type { PaymentResult } from './result-file.ts';
import { lookUp } from './sender-nonces.ts';

/** A reference that was used before: in an earlier row of the file, or in a pending or committed transfer of the sender. */
export type MetReference = Place & { readonly reference: string } & (
    | { readonly first: Place }
    | Pick<Transaction, 'txHash' | 'status'>
  );

export interface Preview {
  readonly from: string;
  /** Number of payments in the file. */
  readonly payments: number;
  /** Number of those that the service already has: of an earlier run, or with the nonce that the file gives them. */
  readonly known: number;
  readonly toSend: number;
  /** Sum of the payments that are sent, in minor units like the amounts below. */
  readonly total: string;
  readonly currency: string;
  readonly balance: string;
  readonly pending: string;
  readonly available: string;
  /** Spendable amount of the account after these payments; negative if it is not enough. */
  readonly after: string;
  readonly nonces?: { readonly first: number; readonly last: number };
  readonly passedOver: readonly number[];
  /** Nonces below those of the payments that no transfer has: later payments wait until each of them is used. */
  readonly missing: readonly number[];
  readonly newReceivers: readonly (Place & { readonly address: string })[];
  readonly metReferences: readonly MetReference[];
  readonly faults: readonly FileFault[];
}

/** The maximum of one request in the contract. */
const ACCOUNTS_MAX = 100;
/** A page of transfers with one reference: nearly always all of them. */
const REFERENCE_PAGE = 10;
/** Lines for each kind; --json has all of them. */
const LINES_MAX = 20;

/** The payments that the next run would send and that the service does not have yet, with their places in the file. */
async function toSend(
  { payments, results, known, resumed, account }: Plan,
  find: (address: string) => AsyncIterable<Transaction>,
): Promise<readonly (readonly [FilePayment, PaymentResult])[]> {
  const pending = new Set<string>();
  // Answers to the earlier run may have been lost.
  if (resumed && results.some(isOpen)) for await (const { txHash } of find(account.address)) pending.add(txHash);
  return payments.flatMap((payment, index) => {
    const result = results[index] as PaymentResult;
    const isKnown =
      known.has(result) ||
      !isOpen(result) ||
      (result.txHash !== '' && (pending.has(result.txHash) || result.nonce < account.nonce));
    return isKnown ? [] : [[payment, result] as const];
  });
}

export async function previewPayments(client: Client, plan: Plan, limits: () => CallOptions): Promise<Preview> {
  const { payments, account, chain, results, passedOver } = plan;
  const from = account.address;
  const sending = await toSend(plan, (address) =>
    eachTransaction(client, { from: address, status: 'pending', limit: 1000, ...limits() }),
  );
  const total = sending.reduce((sum, [, { amount }]) => sum + BigInt(amount), 0n);
  const nonces = sending.map(([, { nonce }]) => nonce);
  const ends = nonces.length === 0 ? undefined : { first: Math.min(...nonces), last: Math.max(...nonces) };
  // Receivers of another network are reported as faults already, and the service has no accounts for them.
  const receivers = sending.map(([{ to }]) => to).filter((to) => to.startsWith(`${chain.addressPrefix}1`));
  const isNew = await newAddresses(client, [...new Set(receivers)], limits);
  const newReceivers = sending.flatMap(([{ place, to }]) => (isNew.delete(to) ? [{ ...place, address: to }] : []));
  const opening = new Set(newReceivers.map(({ address }) => address));
  return {
    from,
    payments: payments.length,
    known: payments.length - sending.length,
    toSend: sending.length,
    total: `${total}`,
    currency: chain.currency.code,
    balance: account.balance,
    pending: account.pendingOut,
    available: account.available,
    after: `${BigInt(account.available) - total}`,
    ...(ends === undefined ? {} : { nonces: ends }),
    passedOver,
    missing: ends === undefined ? [] : missingNonces(plan, results, ends.last),
    newReceivers,
    metReferences: await metReferences(client, { from, payments, sending, results, limits }),
    faults: [
      ...plan.faults,
      ...sending
        .filter(([{ to, amount }]) => amount !== '' && opening.has(to) && BigInt(amount) < BigInt(chain.openingMinimum))
        .map(([{ place, amount }]) => ({
          ...place,
          member: 'amount',
          message: `the receiver has no account yet, and at least ${amountsIn(chain.currency)(chain.openingMinimum)} opens one; this is ${amountsIn(chain.currency)(amount)}. Pay more, or open the account first.`,
        })),
    ],
  };
}

/** Returns the addresses that are in no block yet: they have received and sent nothing. */
async function newAddresses(client: Client, all: readonly string[], limits: () => CallOptions): Promise<Set<string>> {
  const groups = Array.from({ length: Math.ceil(all.length / ACCOUNTS_MAX) }, (_, at) =>
    all.slice(at * ACCOUNTS_MAX, (at + 1) * ACCOUNTS_MAX),
  );
  const found = await lookUp(groups, (addresses) => listAccounts(client, { addresses, ...limits() }));
  return new Set(
    found.flatMap(([, { accounts }]) =>
      accounts.filter(({ balance, nonce }) => balance === '0' && nonce === 0).map(({ address }) => address),
    ),
  );
}

/** Returns the missing nonces, beginning with the account's next nonce. */
function missingNonces(
  { account, passedOver }: Plan,
  results: readonly PaymentResult[],
  last: number,
): readonly number[] {
  const isUsed = new Set([...passedOver, ...results.map(({ nonce }) => nonce)]);
  const missing: number[] = [];
  for (const gap of [...account.gaps, { first: (account.gaps.at(-1)?.last ?? account.nextNonce - 1) + 1, last }]) {
    for (let nonce = gap.first; nonce <= Math.min(gap.last, last) && missing.length < LINES_MAX; nonce += 1)
      if (!isUsed.has(nonce)) missing.push(nonce);
  }
  return missing;
}

async function metReferences(
  client: Client,
  options: {
    from: string;
    payments: readonly FilePayment[];
    sending: readonly (readonly [FilePayment, PaymentResult])[];
    results: readonly PaymentResult[];
    limits: () => CallOptions;
  },
): Promise<MetReference[]> {
  const { from, payments, sending, results, limits } = options;
  const own = new Set(results.map(({ txHash }) => txHash));
  const first = new Map<string, Place>();
  for (const { place, reference } of payments)
    if (reference !== undefined && !first.has(reference)) first.set(reference, place);
  const asked = new Set(sending.flatMap(([{ reference }]) => reference ?? []));
  const transfers = new Map(
    await lookUp([...asked], async (reference) => {
      for await (const transfer of eachTransaction(client, { from, reference, limit: REFERENCE_PAGE, ...limits() })) {
        if (/^(pending|committed)$/.test(transfer.status) && !own.has(transfer.txHash)) return transfer;
      }
      return undefined;
    }),
  );
  return sending.flatMap(([{ place, reference }]): MetReference[] => {
    if (reference === undefined) return [];
    const before = first.get(reference) as Place;
    const transfer = transfers.get(reference);
    if (transfer !== undefined) return [{ ...place, reference, txHash: transfer.txHash, status: transfer.status }];
    return placeOf(before) === placeOf(place) ? [] : [{ ...place, reference, first: before }];
  });
}

const range = ({ first, last }: { first: number; last: number }): string =>
  first === last ? `${first}` : `${first} to ${last}`;

function numbers(list: readonly number[]): string {
  const more = list.length - LINES_MAX;
  return `${list.slice(0, LINES_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats some lines below a fact, as many as a person reads. */
function some(name: string, lines: readonly string[]): [string, string][] {
  const more = lines.length - LINES_MAX;
  return [
    ...(lines.length === 0 ? [] : [[name, `${lines.length}`] as [string, string]]),
    ...lines.slice(0, LINES_MAX).map((line): [string, string] => ['', line]),
    ...(more > 0 ? [['', `and ${more} more`] as [string, string]] : []),
  ];
}

export function describePreview(preview: Preview, { currency }: Plan['chain']): string[] {
  const { payments, known, total, nonces, passedOver, missing, newReceivers, metReferences } = preview;
  const show = amountsIn(currency);
  return facts([
    ['from', preview.from],
    ['payments', `${payments}${known === 0 ? '' : `, of which the service has ${known} already`}`],
    ['total', `${show(total)}, which is ${total} minor units`],
    ['can spend', `${show(preview.available)}: ${show(preview.balance)} less ${show(preview.pending)} pending`],
    ['afterwards', show(preview.after)],
    ...(nonces === undefined ? [] : [['nonces', range(nonces)] as const]),
    ...(passedOver.length === 0
      ? []
      : [['passed over', `${numbers(passedOver)}: nonces of other transfers, which execute between these`] as const]),
    ...(missing.length === 0
      ? []
      : [['missing', `${numbers(missing)}: later payments wait until transfers with these nonces are sent`] as const]),
    ...some(
      'new receivers',
      newReceivers.map(({ address, ...place }) => `${placeOf(place)}  ${address}`),
    ),
    ...some(
      'met before',
      metReferences.map((met) => {
        const where = 'first' in met ? `is that of ${placeOf(met.first)}` : `transfer ${met.txHash}, ${met.status}`;
        return `${placeOf(met)}  reference ${met.reference}  ${where}`;
      }),
    ),
  ]);
}
