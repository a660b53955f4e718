/**
 * Senders that pay, cancel and ask through both gateways as docs/PARTNERS.md tells clients to: an answer that never came is asked for again, elsewhere, with the same bytes.
 * Everything that they were told is written down, and what contradicts itself is a broken promise at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeTransaction, signTransaction, txHash, type Transfer } from '../../server/ledger/index.ts';
import { Random } from '../gateway/support/random.ts';
import { ask, type Answer, type Asked } from '../localnet/ask.ts';

/** Between two transfers of one sender. */
const PACE_MS = 200;
const RETRY_MS = 100;
const CALL_MS_MAX = 3000;
const CANCEL_PERCENT = 20;
const READ_PERCENT = 50;
/** No client gives up sooner: a service that takes this long does not come back. */
const GIVE_UP_MS = 180_000;
const AMOUNT_MAX = 1000;

export interface Told {
  readonly transfer: Transfer;
  readonly hash: string;
  acknowledgedAtMs?: number;
  /** A DELETE was answered 200. */
  cancelled: boolean;
  /** The first terminal status that any answer told, with its block. */
  outcome?: { status: string; height: number };
  /** The database has stepped back to before the acknowledgement: it need not know the transfer until it is sent again. */
  mayBeUnknown: boolean;
  /** Sent again after that, it was answered `nonce_cancelled`: the chain knows its cancel, and nobody knows the row. */
  isLostCancel: boolean;
  /** What every answer said of it, for whoever has to find out what happened. */
  readonly heard: string[];
}

export interface Sender {
  readonly address: string;
  readonly seed: string;
}

export class Load {
  readonly told: Told[] = [];
  readonly lies: string[] = [];
  readonly answers = new Map<string, number>();
  /** From when on the database may forget what it acknowledged; undefined while it must not. */
  #forgetsSinceMs: number | undefined;
  readonly #byHash = new Map<string, Told>();
  readonly #gateways: readonly string[];
  readonly #token: string;
  readonly #chainId: string;
  readonly #to: string;
  readonly #random: Random;
  readonly #nonces = new Map<string, number>();
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: { gateways: readonly string[]; token: string; chainId: string; to: string; seed: number }) {
    this.#gateways = options.gateways;
    this.#token = options.token;
    this.#chainId = options.chainId;
    this.#to = options.to;
    this.#random = new Random(options.seed);
  }

  get acknowledged(): number {
    return this.told.filter(({ acknowledgedAtMs }) => acknowledgedAtMs !== undefined).length;
  }

  start(senders: readonly Sender[]): void {
    this.#running = Promise.all(senders.map((sender, index) => this.#send(sender, index)));
  }

  /** Resolves when everything under way has its answer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** The database may lack what was acknowledged from this moment on, until `sendAgain`. */
  forgetsFrom(sinceMs: number): void {
    this.#forgetsSinceMs = sinceMs;
  }

  /** What a client does that hears of a database restored to an earlier moment: it sends everything since then again. */
  async sendAgain(): Promise<number> {
    const sinceMs = this.#forgetsSinceMs;
    if (sinceMs === undefined) return 0;
    this.#forgetsSinceMs = undefined;
    const again = this.told.filter(
      ({ acknowledgedAtMs }) => acknowledgedAtMs !== undefined && acknowledgedAtMs >= sinceMs,
    );
    for (const told of again) told.mayBeUnknown = true;
    await Promise.all(
      [...new Set(again.map(({ transfer }) => transfer.from))].map(async (from) => {
        for (const told of again.filter(({ transfer }) => transfer.from === from))
          await this.#submit(told, this.#random.below(this.#gateways.length));
      }),
    );
    return again.length;
  }

  /** A transfer through this gateway alone. @returns it, acknowledged; undefined when it was not within `msMax`. */
  async probe(gateway: number, sender: Sender, msMax: number): Promise<Told | undefined> {
    const told = this.#sign(sender);
    const endMs = performance.now() + msMax;
    while (!(await this.#submitOnce(told, gateway, 'probe'))) {
      if (performance.now() > endMs) return undefined;
      await sleep(RETRY_MS);
    }
    return told;
  }

  /** Asks this gateway until it tells an outcome. */
  async outcomeAt(gateway: number, told: Told, msMax: number): Promise<string | undefined> {
    const endMs = performance.now() + msMax;
    while (performance.now() < endMs) {
      const answer = await this.#ask(told, gateway, `/transactions/${told.hash}`, { purpose: 'probe' });
      if (answer?.status === 200) this.#heard(told, answer.body);
      if (answer?.status === 200 && answer.body.status !== 'pending') return answer.body.status;
      if (answer?.status === 404 && told.isLostCancel) return undefined;
      await sleep(RETRY_MS);
    }
    return undefined;
  }

  async #send(sender: Sender, index: number): Promise<void> {
    await sleep((index * PACE_MS) / 2);
    for (let turn = index; !this.#isStopped; turn += 1) {
      const told = this.#sign(sender);
      await this.#submit(told, turn);
      if (this.#random.chance(CANCEL_PERCENT)) await this.#cancel(told, turn + this.#random.below(2));
      if (this.#random.chance(READ_PERCENT))
        await this.#read(this.#random.chance(50) ? told : (this.#random.pick(this.told) ?? told), turn + 1);
      await sleep(PACE_MS);
    }
  }

  #sign({ address, seed }: Sender): Told {
    const nonce = this.#nonces.get(address) ?? 0;
    this.#nonces.set(address, nonce + 1);
    const amount = BigInt(1 + this.#random.below(AMOUNT_MAX));
    const transfer = signTransaction<Transfer>(
      { kind: 'transfer', chainId: this.#chainId, from: address, to: this.#to, amount, nonce },
      Buffer.from(seed, 'hex'),
    );
    const told: Told = {
      transfer,
      hash: txHash(encodeTransaction(transfer)),
      cancelled: false,
      mayBeUnknown: false,
      isLostCancel: false,
      heard: [],
    };
    this.told.push(told);
    this.#byHash.set(told.hash, told);
    return told;
  }

  /** Until it is acknowledged, or refused for good. */
  async #submit(told: Told, turn: number): Promise<void> {
    const endMs = performance.now() + GIVE_UP_MS;
    for (let attempt = turn; !(await this.#submitOnce(told, attempt)); attempt += 1) {
      if (performance.now() > endMs) {
        this.lies.push(`${told.hash} had no final answer to POST for ${GIVE_UP_MS / 1000} s`);
        return;
      }
      await sleep(RETRY_MS);
    }
  }

  /** @returns whether the answer is final. */
  async #submitOnce(told: Told, gateway: number, purpose: 'load' | 'probe' = 'load'): Promise<boolean> {
    const { from, to, amount, nonce, signature } = told.transfer;
    const answer = await this.#ask(told, gateway, '/transactions', {
      method: 'POST',
      body: JSON.stringify({ from, to, amount: String(amount), nonce, signature }),
      purpose,
    });
    if (answer === undefined || answer.status >= 500 || answer.status === 429) return false;
    if (answer.status < 300) {
      told.acknowledgedAtMs = performance.now();
      told.mayBeUnknown = false;
      this.#heard(told, answer.body);
    } else if (told.mayBeUnknown && answer.body.code === 'nonce_cancelled' && answer.body.txHash === told.hash)
      told.isLostCancel = true;
    else
      this.lies.push(
        `${told.hash} (nonce ${nonce} of ${from}) was refused: ${answer.status} ${JSON.stringify(answer.body)}`,
      );
    return true;
  }

  async #cancel(told: Told, turn: number): Promise<void> {
    const endMs = performance.now() + GIVE_UP_MS;
    for (let attempt = turn; performance.now() < endMs; attempt += 1) {
      const mayBeUnknown = this.#mayBeUnknown(told);
      const answer = await this.#ask(told, attempt, `/transactions/${told.hash}`, {
        method: 'DELETE',
        headers: { prefer: 'wait=2' },
      });
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        if (answer.status === 200) {
          told.cancelled = true;
          this.#heard(told, answer.body);
        }
        const expected =
          answer.status === 200 ||
          answer.status === 202 ||
          (answer.status === 409 && answer.body.code === 'already_settled') ||
          (answer.status === 404 && (mayBeUnknown || this.#mayBeUnknown(told)));
        if (!expected)
          this.lies.push(
            `the cancel of ${told.hash} was answered ${answer.status} ${answer.body?.code} ${answer.body?.detail}: ${told.heard.join(', ')}`,
          );
        return;
      }
      await sleep(RETRY_MS);
    }
    this.lies.push(`the cancel of ${told.hash} had no final answer for ${GIVE_UP_MS / 1000} s`);
  }

  /** One question. No answer is no lie. */
  async #read(told: Told, gateway: number): Promise<void> {
    // By what held when it was asked: while the question is on its way another may bring back what a restored database lacked.
    const mustBeKnown = told.acknowledgedAtMs !== undefined && !this.#mayBeUnknown(told);
    const answer = await this.#ask(told, gateway, `/transactions/${told.hash}`);
    if (answer?.status === 200) this.#heard(told, answer.body);
    else if (answer?.status === 404 && mustBeKnown && !this.#mayBeUnknown(told))
      this.lies.push(`${told.hash} was acknowledged, and GET answers 404: ${told.heard.join(', ')}`);
  }

  #mayBeUnknown(told: Told): boolean {
    return (
      told.mayBeUnknown ||
      told.isLostCancel ||
      (this.#forgetsSinceMs !== undefined && (told.acknowledgedAtMs ?? 0) >= this.#forgetsSinceMs)
    );
  }

  /** An outcome is told once and forever. */
  #heard(told: Told, body: { txHash: string; status: string; height?: number }): void {
    if (body.txHash !== told.hash) this.lies.push(`asked for ${told.hash}, answered with ${body.txHash}`);
    if (body.status === 'pending') return;
    const { outcome } = told;
    if (outcome === undefined) told.outcome = { status: body.status, height: Number(body.height) };
    else if (outcome.status !== body.status || (body.height !== undefined && outcome.height !== Number(body.height))) {
      this.lies.push(
        `${told.hash} was ${outcome.status} in block ${outcome.height}, and then ${body.status} in block ${body.height}`,
      );
    }
  }

  async #ask(
    told: Told,
    turn: number,
    route: string,
    asked: Omit<Asked, 'token' | 'msMax'> = {},
  ): Promise<Answer | undefined> {
    const answer = await ask(this.#gateways[turn % this.#gateways.length] ?? '', route, {
      ...asked,
      token: this.#token,
      msMax: CALL_MS_MAX,
    });
    const kind = `${asked.method ?? 'GET'} ${answer?.status ?? 'no answer'}`;
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    const { length } = told.heard;
    const said = `${kind} ${answer?.body?.status ?? ''} ${answer?.body?.code ?? ''}`.trimEnd();
    const what = `gateway ${turn % this.#gateways.length}: ${said}`;
    if (length === 0 || !told.heard[length - 1]?.endsWith(what))
      told.heard.push(`${Math.round(performance.now())} ms ${what}`);
    if (answer !== undefined && answer.status >= 500 && answer.status !== 503)
      this.lies.push(`${asked.method ?? 'GET'} ${route} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }
}
