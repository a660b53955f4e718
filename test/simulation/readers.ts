/** Readers of payments, accounts, lists and events: what each is shown is what the log says. */
import type { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import type { Refusal, TransactionRecord } from '../../server/gateway/index.ts';
import type { Payments } from './payments.ts';
import { demand, type Known, type Status } from './plain-model.ts';
import { addresses } from './prepared.ts';
import type { SimulatedProcess } from './process.ts';
import { same, text, type World } from './world.ts';

export class Readers {
  readonly #world: World;
  readonly #payments: Payments;

  constructor(world: World, payments: Payments) {
    this.#world = world;
    this.#payments = payments;
  }

  #reader(): ThreadReads {
    return this.#world.random.pick((this.#world.process as SimulatedProcess).reads) as ThreadReads;
  }

  /** After each step: one payment and one account, as a reader sees them. */
  check(): void {
    const { model, random } = this.#world;
    const reads = this.#reader();
    const known = random.pick(model.transfers.slice(-12));
    if (known !== undefined) this.checkTransfer(reads, known);
    if (this.#world.step % 2 === 0) this.#checkAccount(reads, addresses[random.below(addresses.length)] as string);
    const behind = model.height - (this.#world.process as SimulatedProcess).commits.height;
    if (behind > 0) this.#world.coverage.count(behind > 2 ? 'read far behind' : 'read behind');
  }

  checkTransfer(reads: ThreadReads, known: Known): void {
    const shown = reads.get(known.executedAs ?? known.hash) as TransactionRecord | Refusal | undefined;
    demand(shown !== undefined && !('ok' in shown), () => `${known.hash} is in the log and a reader does not find it`);
    const { txHash, status, executedAs, height } = shown;
    const found = { txHash, status, executedAs, height };
    const wanted = { txHash: known.hash, status: known.status, executedAs: known.executedAs, height: known.height };
    demand(same(found, wanted), () => `a reader shows ${text(found)}, and the log says ${text(wanted)}`);
    this.#payments.tell(known, status);
  }

  #checkAccount(reads: ThreadReads, address: string): void {
    const { model } = this.#world;
    const shown = reads.account(address) as Exclude<Awaited<ReturnType<ThreadReads['account']>>, Refusal>;
    demand(shown.ok, () => `the account ${address} is not shown`);
    const { balance, nonce, pendingOut, nextNonce, height } = shown;
    const found = { balance, nonce, pendingOut, nextNonce, height };
    const account = model.account(address);
    const wanted = {
      balance: account.balance.toString(),
      nonce: account.nonce,
      pendingOut: model.reserved(address).toString(),
      nextNonce: model.nextNonce(address),
      height: model.height,
    };
    demand(same(found, wanted), () => `a reader shows ${text(found)} of ${address}, and the log says ${text(wanted)}`);
  }

  /** A whole list, page by page, under some filter. */
  read(): string {
    const { random, model } = this.#world;
    const address = addresses[random.below(addresses.length)] as string;
    const filters: [object, (one: Known) => boolean][] = [
      [{}, () => true],
      [{ account: address }, ({ from, to }) => from === address || to === address],
      [{ from: address }, ({ from }) => from === address],
      [{ reference: 'INV-1' }, ({ reference }) => reference === 'INV-1'],
      [{ from: address, nonce: 2 }, ({ from, nonce }) => from === address && nonce === 2],
    ];
    const [query, isWanted] = random.pick(filters) as (typeof filters)[number];
    const reads = this.#reader();
    const shown: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 100; pages += 1) {
      const page = reads.list({ ...query, limit: 1 + random.below(20), ...(cursor && { cursor }) }) as Page | Refusal;
      demand(page.ok, () => `a list is refused: ${text(page)}`);
      shown.push(...page.transactions.map(({ txHash, status }) => `${txHash} ${status}`));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const wanted = model.transfers.filter(isWanted).map(({ hash, status }) => `${hash} ${status}`);
    demand(
      same(shown, wanted.toReversed()),
      () => `a list shows ${text(shown)}, and the log says ${text(wanted.toReversed())}`,
    );
    this.checkMoney(reads);
    return 'read';
  }

  checkMoney(reads: ThreadReads): void {
    let sum = 0n;
    for (const address of addresses) {
      this.#checkAccount(reads, address);
      const shown = reads.account(address);
      if ('ok' in shown && shown.ok) sum += BigInt(shown.balance);
    }
    demand(
      sum === this.#world.model.supply,
      () => `readers see ${sum} in all accounts, and there were ${this.#world.model.supply}`,
    );
  }

  /** What chain.db alone answers: it waits until everything is there that anyone was shown. */
  readLater(): string {
    const { model, random } = this.#world;
    const process = this.#world.process as SimulatedProcess;
    const reads = this.#reader();
    const askedHeight = model.height;
    if (process.commits.height < askedHeight) this.#world.coverage.count('read waited');
    const refused = (answer: Refusal): void =>
      demand(answer.code === 'store_unavailable', () => `a read is refused: ${text(answer)}`);
    if (random.chance(60)) {
      const order = random.chance(50) ? 'asc' : 'desc';
      this.#world.ask(process, Promise.resolve(reads.events({ limit: 1000, order })), (answer) => {
        if (!answer.ok) return refused(answer);
        const { height } = process.commits;
        demand(
          answer.height >= askedHeight,
          () => `events are of block ${answer.height}, and block ${askedHeight} was shown`,
        );
        const shown = answer.events.map((event) => ({
          height: event.height,
          index: event.index,
          type: event.type,
          hash: event.transaction.txHash,
        }));
        const upTo = model.events.filter((event) => event.height <= height);
        const wanted = order === 'asc' ? upTo : upTo.toReversed();
        demand(same(shown, wanted), () => `the events are ${text(shown)}, and the log says ${text(wanted)}`);
      });
      return 'read events';
    }
    const status = random.pick(['pending', 'committed', 'failed', 'cancelled', 'expired'] as const) as Status;
    this.#world.ask(process, Promise.resolve(reads.list({ limit: 1000, status })), (answer) => {
      if (!answer.ok) return refused(answer);
      // Behind the log it is of the rows, and only never of before the question.
      if (process.commits.height !== model.height) return;
      this.#world.coverage.count('list by status');
      const shown = answer.transactions.map(({ txHash }) => txHash);
      const wanted = model.transfers.filter((one) => one.status === status).map(({ hash }) => hash);
      demand(
        same(shown, wanted.toReversed()),
        () => `the ${status} are ${text(shown)}, and the log says ${text(wanted)}`,
      );
    });
    return 'read by status';
  }
}

interface Page {
  ok: true;
  transactions: TransactionRecord[];
  nextCursor?: string;
}
