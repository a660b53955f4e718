/**
 * What the checks of one run share: the server, its contract, the tokens, and accounts with money. An account is used by one check only, so
 * that no check meets what another left behind.
 */
import { Broken, expect, show, Skipped } from './expect.ts';
import { Contract } from './contract.ts';
import { ask, openStream, type Answer, type Ask, type EventStream } from './http.ts';
import { cancelSignBytes, hashOf, newAccount, signText, signTransfer, type Account, type Signed } from './signer.ts';

export interface Tokens {
  readonly token: string;
  readonly readToken?: string | undefined;
  readonly otherToken?: string | undefined;
  readonly revokedToken?: string | undefined;
  readonly adminToken?: string | undefined;
}

/** Where the kit listens for webhooks, and what the server is told of it. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
}

export interface Payment {
  readonly to: string;
  readonly amount: string;
  readonly nonce: number;
  readonly reference?: string;
  readonly validUntil?: number;
}

/** What each account of a check gets. Some checks send several hundred transfers of 1. */
export const ACCOUNT_FUNDS = 1000;
const WAIT_S = 30;
const SETTLE_MS_MAX = 60_000;
const POLL_MS = 50;

export class Session {
  readonly baseUrl: string;
  readonly tokens: Tokens;
  readonly chainId: string;
  readonly prefix: string;
  readonly #bank: Account;
  readonly #made: Account[] = [];
  readonly #unused: Account[] = [];
  #bankNonce: number | undefined;
  #contract: Promise<Contract> | undefined;
  /** Method and path of every request. */
  readonly #asked = new Set<string>();
  readonly listening: Receiver | undefined;

  private constructor(
    baseUrl: string,
    tokens: Tokens,
    bank: Account,
    chain: { chainId: string; prefix: string },
    receiver: Receiver | undefined,
  ) {
    this.baseUrl = baseUrl;
    this.tokens = tokens;
    this.listening = receiver;
    this.#bank = bank;
    this.chainId = chain.chainId;
    this.prefix = chain.prefix;
  }

  /** @throws Broken when there is no such service. */
  static async open(
    baseUrl: string,
    tokens: Tokens,
    bankOf: (prefix: string) => Account,
    receiver?: Receiver,
  ): Promise<Session> {
    const { status, text } = await ask(baseUrl, '/chain', {});
    const body = objectIn(text);
    if (status !== 200 || typeof body?.chainId !== 'string' || typeof body?.addressPrefix !== 'string')
      throw new Broken(`GET /chain answered ${status}: ${show(text)}`);
    const chain = { chainId: body.chainId, prefix: body.addressPrefix };
    return new Session(baseUrl, tokens, bankOf(body.addressPrefix), chain, receiver);
  }

  get bankAddress(): string {
    return this.#bank.address;
  }

  /** The server's own, read once. */
  contract(): Promise<Contract> {
    return (this.#contract ??= (async () => {
      const answer = await this.call('/openapi.json');
      expect(answer.status === 200 && answer.body !== undefined, `GET /openapi.json answered ${answer.status}`);
      return new Contract(answer.body);
    })());
  }

  /** The operations that were called so far. */
  async calledOperations(): Promise<ReadonlySet<string>> {
    return (await this.contract()).operationsOf(this.#asked);
  }

  /** Calls an operation, whose answer has to be what the contract says. */
  async ask(operationId: string, path: string, asked: Ask = {}): Promise<Answer> {
    const answer = await this.call(path, asked);
    (await this.contract()).expectAnswer(operationId, answer);
    return answer;
  }

  /** The same, of a token that may lack the scope: then the check cannot be made. */
  async manage(operationId: string, path: string, asked: Ask = {}): Promise<Answer> {
    const answer = await this.ask(operationId, path, asked);
    if (answer.body?.code === 'insufficient_scope') throw new Skipped(`the token may not: ${answer.body.detail}`);
    return answer;
  }

  /** Opens a stream of server-sent events. */
  follow(path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    this.#asked.add(`GET ${path}`);
    return openStream(this.baseUrl, path, { authorization: `Bearer ${this.tokens.token}`, ...headers });
  }

  /** With the token, unless `headers` has another or an empty one. */
  call(path: string, { method, headers = {}, body }: Ask = {}): Promise<Answer> {
    const all: Record<string, string> = {
      authorization: `Bearer ${this.tokens.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const asked = method ?? (body === undefined ? 'GET' : 'POST');
    this.#asked.add(`${asked} ${path}`);
    return ask(this.baseUrl, path, { method: asked, headers: sent, body });
  }

  submit(body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('/transactions', { body, headers });
  }

  /** Submits, and waits until a block has executed it. */
  async pay(body: object): Promise<Answer> {
    const answer = await this.submit(body, { prefer: `wait=${WAIT_S}` });
    expect(
      answer.status === 201 && answer.body?.status === 'committed',
      `a transfer was answered ${answer.status} ${show(answer.body)} instead of 201 committed`,
    );
    return answer;
  }

  cancel(txHash: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call(`/transactions/${txHash}`, { method: 'DELETE', headers });
  }

  /** By a signature of `signer`, which is the right to cancel when it is the sender of the transfer. */
  submitCancel(
    signer: Account,
    { from, nonce, txHash }: { from: string; nonce: number; txHash: string },
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const signature = signText(signer.seed, cancelSignBytes({ chainId: this.chainId, from, nonce }, txHash));
    return this.call(`/transactions/${txHash}/cancel`, { body: { signature }, headers });
  }

  read(txHash: string): Promise<Answer> {
    return this.call(`/transactions/${txHash}`);
  }

  async account(address: string): Promise<{ balance: string; nonce: number; nextNonce: number }> {
    const { status, body } = await this.call(`/accounts/${address}`);
    expect(status === 200, `GET /accounts/${address} answered ${status} ${show(body)}`);
    return body;
  }

  /** Asks until the transfer is not pending any more. @returns its status then. */
  async settled(txHash: string): Promise<string> {
    const deadline = Date.now() + SETTLE_MS_MAX;
    for (;;) {
      const { status, body } = await this.read(txHash);
      expect(status === 200, `GET /transactions/${txHash} answered ${status} ${show(body)}`);
      if (body.status !== 'pending') return body.status;
      expect(Date.now() < deadline, `${txHash} is still pending after ${SETTLE_MS_MAX / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  sign(from: Account, payment: Payment): Signed & { txHash: string } {
    const transfer = { chainId: this.chainId, from: from.address, ...payment };
    const signed = signTransfer(from.seed, transfer);
    return { ...signed, txHash: hashOf(transfer, signed.signature) };
  }

  /** An address that no one has paid. Its key is kept, so that what it receives can be sent back. */
  receiver(): string {
    const account = newAccount(this.prefix);
    this.#made.push(account);
    return account.address;
  }

  /** Gives money to so many new accounts at once. */
  async prepare(count: number): Promise<void> {
    if (count === 0) return;
    this.#bankNonce ??= (await this.account(this.#bank.address)).nextNonce;
    const accounts = Array.from({ length: count }, () => newAccount(this.prefix));
    const answers = await Promise.all(
      accounts.map(({ address }, i) => {
        const body = this.sign(this.#bank, {
          to: address,
          amount: String(ACCOUNT_FUNDS),
          nonce: (this.#bankNonce ?? 0) + i,
        });
        return this.submit(body, { prefer: `wait=${WAIT_S}` });
      }),
    );
    this.#bankNonce += count;
    const refused = answers.find(({ body }) => body?.status !== 'committed');
    if (refused !== undefined) {
      this.#bankNonce = undefined;
      throw new Broken(
        `${this.#bank.address} cannot give money to a new account: ${refused.status} ${show(refused.body)}`,
      );
    }
    this.#made.push(...accounts);
    this.#unused.push(...accounts);
  }

  /** A new account with {@link ACCOUNT_FUNDS}, at nonce 0. */
  async funded(): Promise<Account> {
    if (this.#unused.length === 0) await this.prepare(1);
    const account = this.#unused.pop();
    if (account === undefined) throw new Error('prepare made no account');
    return account;
  }

  /** Cancels what is still pending, and sends every account's money back. @returns what could not be sent back. */
  async sweep(): Promise<bigint> {
    const left = await Promise.all(
      this.#made.map((account) => this.#sendBack(account).catch(() => BigInt(ACCOUNT_FUNDS))),
    );
    return left.reduce((sum, each) => sum + each, 0n);
  }

  async #sendBack(account: Account): Promise<bigint> {
    const pending = await this.call(`/transactions?from=${account.address}&status=pending&limit=1000`);
    await Promise.all(
      (pending.body?.transactions ?? []).map(({ txHash }: { txHash: string }) =>
        this.cancel(txHash, { prefer: `wait=${WAIT_S}` }),
      ),
    );
    const { balance, nextNonce } = await this.account(account.address);
    if (BigInt(balance) === 0n) return 0n;
    const { body } = await this.submit(
      this.sign(account, { to: this.#bank.address, amount: balance, nonce: nextNonce }),
      { prefer: `wait=${WAIT_S}` },
    );
    return body?.status === 'committed' ? 0n : BigInt(balance);
  }
}

/** Whatever its media type is called: that is for a check to say. */
function objectIn(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
