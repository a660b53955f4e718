/**
 * What a partner in TypeScript does, whatever generator made the client: read, pay, find the payment, take one back, be told what
 * was wrong. Each generator has an adapter (its main.ts) that speaks with the client it made; the steps are here.
 */
import { readFileSync } from 'node:fs';
import { deepStrictEqual, ok } from 'node:assert';
import { signed, type Transfer } from './signer';

export interface Submission {
  from: string;
  to: string;
  amount: string;
  nonce: number;
  signature: string;
}

/** A transaction as the client gives it. */
export interface Seen {
  httpStatus: number;
  txHash: string;
  status: string;
  height?: number | undefined;
  lastEvent?: string | undefined;
}

/** A problem as the client gives it. */
export interface Refused {
  httpStatus: number;
  code: string;
  retriable: boolean;
  txHash: string | undefined;
}

export interface Adapter {
  chainId(): Promise<string>;
  nextNonce(address: string): Promise<number>;
  submit(body: Submission, prefer?: string): Promise<Seen | Refused>;
  get(txHash: string): Promise<Seen>;
  page(
    from: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<{ hashes: string[]; nextCursor: string | undefined }>;
  cancel(txHash: string, prefer: string): Promise<Seen>;
}

const AMOUNT = '250';
/** How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait. */
const NONCES_AHEAD = 500;

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  console.log(`  ${name} (${((performance.now() - startedMs) / 1000).toFixed(3)} s)`);
  return result;
}

export async function main(connect: (baseUrl: string, token: string) => Adapter): Promise<void> {
  const dev = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
    baseUrl: string;
    chainId: string;
    token: string;
    /** What every status, code and event is, where answers are those of a later version. */
    later?: string;
    accounts: { address: string; seed: string }[];
  };
  const [sender, receiver] = dev.accounts;
  ok(sender !== undefined && receiver !== undefined);
  const client = connect(dev.baseUrl, dev.token);
  const word = (now: string): string => dev.later ?? now;
  const submit = (unsigned: Transfer, prefer?: string): { txHash: string; answer: Promise<Seen | Refused> } => {
    const { signature, txHash } = signed(unsigned, sender.seed);
    const { from, to, amount, nonce } = unsigned;
    return { txHash, answer: client.submit({ from, to, amount, nonce, signature }, prefer) };
  };

  const { chainId, nonce } = await step('read chain and account', async () => ({
    chainId: await client.chainId(),
    nonce: await client.nextNonce(sender.address),
  }));
  deepStrictEqual(chainId, dev.chainId);
  const transfer = (at: number, amount = AMOUNT): Transfer => ({
    chainId,
    from: sender.address,
    to: receiver.address,
    amount,
    nonce: at,
  });

  const [first] = await step('pay twice, and wait until each is committed', async () => {
    const hashes: string[] = [];
    for (const at of [nonce, nonce + 1]) {
      const { txHash, answer } = submit(transfer(at), 'wait=30');
      const { httpStatus, status, ...seen } = (await answer) as Seen;
      deepStrictEqual([httpStatus, status, seen.txHash], [201, word('committed'), txHash]);
      hashes.push(txHash);
    }
    return hashes;
  });
  ok(first !== undefined);

  await step('read the transaction with its history', async () => {
    const found = await client.get(first);
    deepStrictEqual([found.txHash, found.status, found.lastEvent], [first, word('committed'), word('committed')]);
    ok(typeof found.height === 'number' && found.height > 0);
  });

  await step('list by cursor until the first is seen', async () => {
    let cursor: string | undefined;
    for (let pages = 1; ; pages += 1) {
      const page = await client.page(sender.address, 1, cursor);
      cursor = page.nextCursor;
      if (page.hashes.includes(first)) {
        ok(pages > 1, 'the list has one page');
        return;
      }
      ok(cursor !== undefined, `${first} is on no page`);
    }
  });

  await step(`submit ${NONCES_AHEAD} nonces ahead, and cancel it`, async () => {
    const { txHash, answer } = submit(transfer(nonce + 2 + NONCES_AHEAD));
    const pending = (await answer) as Seen;
    deepStrictEqual([pending.httpStatus, pending.status], [202, word('pending')]);
    const cancelled = await client.cancel(txHash, 'wait=30');
    deepStrictEqual([cancelled.httpStatus, cancelled.status], [200, word('cancelled')]);
    deepStrictEqual((await client.get(txHash)).lastEvent, word('cancelled'));
  });

  await step('another payment at a nonce in use is a typed problem that names the first', async () => {
    deepStrictEqual(await submit(transfer(nonce, '251')).answer, {
      httpStatus: 409,
      code: word('nonce_conflict'),
      retriable: false,
      txHash: first,
    });
  });
}
