/**
 * Payments under load, with a memory of what the service answered: every payment has an amount of its own, so that an
 * amount names it, and every sender signs its nonces in order. An answer that never came is asked for again, at the
 * other gateway, with the same bytes, until the service says what became of them.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeTransaction, signTransaction, txHash, type Transfer } from '../../server/ledger/index.ts';
import { ask, type Answer, type Asked } from './ask.ts';

export interface Payment {
  txHash: string;
  from: string;
  nonce: number;
  amount: string;
  /** 201, 202 or 200: the service has said that it is durable. */
  acknowledged: boolean;
  /** The code of a refusal that is final. */
  refused?: string;
  /** A DELETE was answered 200: the service has said that it will never be paid. */
  reportedCancelled: boolean;
}

export interface LoadOptions {
  /** Base URLs of the gateways. */
  gateways: readonly string[];
  token: string;
  chainId: string;
  senders: readonly { address: string; seed: string }[];
  to: string;
  /** Payments a second, of all senders together. */
  ratePerS: number;
  /** Of a hundred payments, so many are cancelled right after they were accepted. */
  cancelsPercent: number;
  /** Amounts are this and up: no two loads on one chain use the same. */
  firstAmount: number;
}

/** An answer takes a second by contract; under faults it may never come. */
const CALL_MS_MAX = 5_000;
const RETRY_MS = 100;
/** Payments of one sender whose acknowledgement is awaited at one time. */
const IN_FLIGHT_PER_SENDER_MAX = 32;
/** Nobody gives up: a payment that cannot be brought in for so long is a fault of the service. */
export const GIVE_UP_MS = 120_000;

export class Load {
  readonly #options: LoadOptions;
  readonly payments: Payment[] = [];
  readonly #faults: string[] = [];
  /** Answers by status, for the report. */
  readonly answers = new Map<string, number>();
  #stopped = false;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** What no client should ever see. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  get acknowledged(): number {
    return this.payments.reduce((count, payment) => count + (payment.acknowledged ? 1 : 0), 0);
  }

  /** No new payments; those under way are brought to an answer. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when the load was stopped, or has made so many payments, and every payment has its answer. */
  async run(paymentsMax = Number.POSITIVE_INFINITY): Promise<void> {
    const { senders } = this.#options;
    const each = Math.ceil(paymentsMax / senders.length);
    await Promise.all(senders.map((sender, index) => this.#send(sender, index, each)));
  }

  async #send(sender: { address: string; seed: string }, index: number, count: number): Promise<void> {
    const { gateways, senders, ratePerS, firstAmount } = this.#options;
    const account = await this.#insist(gateways[index % gateways.length] as string, `/accounts/${sender.address}`);
    const startedMs = performance.now();
    const everyMs = (1000 * senders.length) / ratePerS;
    const inFlight = new Set<Promise<void>>();
    for (let i = 0; i < count && !this.#stopped; i += 1) {
      const dueMs = startedMs + i * everyMs - performance.now();
      if (dueMs > 0) await sleep(dueMs);
      if (inFlight.size >= IN_FLIGHT_PER_SENDER_MAX) await Promise.race(inFlight);
      const payment = this.#pay(
        sender,
        (account.body.nextNonce as number) + i,
        firstAmount + i * senders.length + index,
        index + i,
      );
      inFlight.add(payment);
      void payment.finally(() => inFlight.delete(payment));
    }
    await Promise.all(inFlight);
  }

  async #pay(sender: { address: string; seed: string }, nonce: number, amount: number, gateway: number): Promise<void> {
    const { chainId, to, gateways, cancelsPercent } = this.#options;
    const transfer = signTransaction<Transfer>(
      { kind: 'transfer', chainId, from: sender.address, to, amount: BigInt(amount), nonce },
      Buffer.from(sender.seed, 'hex'),
    );
    const payment: Payment = {
      txHash: txHash(encodeTransaction(transfer)),
      from: sender.address,
      nonce,
      amount: String(amount),
      acknowledged: false,
      reportedCancelled: false,
    };
    this.payments.push(payment);
    const body = JSON.stringify({
      from: transfer.from,
      to,
      amount: payment.amount,
      nonce,
      signature: transfer.signature,
    });
    const answer = await this.#insist(gateways[gateway % gateways.length] as string, '/transactions', {
      method: 'POST',
      body,
    });
    payment.acknowledged = answer.status < 300;
    if (!payment.acknowledged) {
      payment.refused = answer.body.code;
      this.#faults.push(
        `payment ${payment.txHash} (nonce ${nonce}) was refused: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
      return;
    }
    if (answer.body.txHash !== payment.txHash)
      this.#faults.push(`payment ${payment.txHash} was answered with ${answer.body.txHash}`);
    if (randomInt(100) < cancelsPercent)
      await this.#cancel(payment, gateways[(gateway + 1) % gateways.length] as string);
  }

  async #cancel(payment: Payment, gateway: string): Promise<void> {
    const answer = await this.#insist(gateway, `/transactions/${payment.txHash}`, {
      method: 'DELETE',
      headers: { prefer: 'wait=2' },
    });
    payment.reportedCancelled = answer.status === 200;
    const expected =
      answer.status === 200 ||
      answer.status === 202 ||
      (answer.status === 409 && answer.body.code === 'already_settled');
    if (!expected)
      this.#faults.push(`the cancel of ${payment.txHash} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Asks until there is an answer that is not "try again", here or at the next gateway. */
  async #insist(first: string, route: string, asked: Omit<Asked, 'token' | 'msMax'> = {}): Promise<Answer> {
    const { gateways, token } = this.#options;
    const what = `${asked.method ?? 'GET'} ${route}`;
    const giveUpMs = performance.now() + GIVE_UP_MS;
    for (let attempt = gateways.indexOf(first); ; attempt += 1) {
      const answer = await ask(gateways[attempt % gateways.length] as string, route, {
        ...asked,
        token,
        msMax: CALL_MS_MAX,
      });
      const kind = answer === undefined ? 'none' : `${asked.method ?? 'GET'} ${answer.status}`;
      this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
      if (answer !== undefined && answer.status >= 500 && answer.status !== 503)
        this.#faults.push(`${what} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) return answer;
      if (performance.now() > giveUpMs) {
        this.#faults.push(`${what} had no final answer for ${GIVE_UP_MS} ms`);
        return answer ?? { status: 0, body: {} };
      }
      await sleep(RETRY_MS);
    }
  }
}
