/**
 * `txledger send`: signs one transfer with a development account and submits it. It reads DATA_DIR/dev.json, so it
 * knows the address, the token and the keys; for a chain of one's own there is the client.
 *
 * @module
 */
import { encodeTransaction, signTransaction, txHash, type Unsigned, type Transfer } from '../ledger/index.ts';
import type { DevelopmentAccount } from '../app/dev-accounts.ts';
import type { DevelopmentFile } from '../app/dev-file.ts';

/** How long `--wait` holds the answer: the longest that the API grants. */
const WAIT_S = 30;
/** The answer itself comes within a second; this only ends a wait for a server that is gone. */
const ANSWER_MS_MAX = (WAIT_S + 10) * 1000;

export interface SendOptions {
  to: string;
  /** Decimal digits, minor units. */
  amount: string;
  /** Name or address of a development account. */
  from: string;
  /** Defaults to the account's next one. */
  nonce?: number;
  wait: boolean;
}

export interface SendResult {
  /** HTTP status of the submission. */
  status: number;
  /** As computed here, before anything was sent. */
  txHash: string;
  /** The answer's document: the transaction, or a problem. */
  body: unknown;
}

async function call(dev: DevelopmentFile, path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${dev.baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${dev.token}`, 'content-type': 'application/json', ...init.headers },
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  return { status: response.status, body: await response.json() };
}

function accountOf(dev: DevelopmentFile, nameOrAddress: string): DevelopmentAccount {
  const account = dev.accounts.find(({ name, address }) => name === nameOrAddress || address === nameOrAddress);
  if (account) return account;
  throw new Error(`${nameOrAddress} is no development account; there are ${dev.accounts.map(({ name }) => name).join(', ')}.`);
}

/** @throws when the server cannot be reached, or the sender is not a development account. */
export async function send(dev: DevelopmentFile, options: SendOptions): Promise<SendResult> {
  const sender = accountOf(dev, options.from);
  let { nonce } = options;
  if (nonce === undefined) {
    const { status, body } = await call(dev, `/accounts/${sender.address}`);
    if (status !== 200) throw new Error(`GET /accounts/${sender.address} answered ${status}: ${JSON.stringify(body)}`);
    nonce = (body as { nextNonce: number }).nextNonce;
  }
  const receiver = dev.accounts.find(({ name }) => name === options.to)?.address ?? options.to;
  const unsigned: Unsigned<Transfer> = {
    kind: 'transfer',
    chainId: dev.chainId,
    from: sender.address,
    to: receiver,
    amount: BigInt(options.amount),
    nonce,
  };
  const signed = signTransaction(unsigned, Buffer.from(sender.seed, 'hex'));
  const hash = txHash(encodeTransaction(signed));
  const { status, body } = await call(dev, '/transactions', {
    method: 'POST',
    headers: options.wait ? { prefer: `wait=${WAIT_S}` } : {},
    body: JSON.stringify({ from: sender.address, to: receiver, amount: options.amount, nonce, signature: signed.signature, txHash: hash }),
  });
  return { status, txHash: hash, body };
}
