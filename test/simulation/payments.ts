/** Clients that pay, pay again, cancel and wait, outsiders that broadcast, and whether each was told the truth. */
import type { Principal, Refusal, Submitted } from '../../server/gateway/index.ts';
import { demand, type Known, type Status } from './plain-model.ts';
import {
  ACCOUNTS,
  addresses,
  cancelOf,
  NONCES,
  NONCES_SIGNED_TWICE,
  payment,
  SMALL,
  paymentSignedAgain,
  type Signed,
  VARIANTS,
} from './prepared.ts';
import type { SimulatedProcess } from './process.ts';
import { MS, type World } from './world.ts';

const FOLLOWED_MAX = 12;
const WAIT_MS = 2000;
const CLIENTS: readonly Principal[] = ['alice', 'bob', 'carol'].map((owner) => ({ owner, tokenId: owner, scopes: [] }));
const MALLORY: Principal = { owner: 'mallory', tokenId: 'mallory', scopes: [] };
const KEYS = 6;
const FLOOD_OF_ACCOUNT = 36;

export class Payments {
  readonly #world: World;
  /** What clients were told last of a payment, by hash. */
  readonly #told = new Map<string, Status>();
  /** What was acknowledged as new. */
  readonly fresh = new Set<string>();
  /** Payments that clients know, newest last. */
  readonly #known: { signed: Signed; who: Principal; key: string | undefined }[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  pickClient(): Principal {
    return this.#world.random.pick(CLIENTS) as Principal;
  }

  newPayment(): Signed {
    const { random } = this.#world;
    const from = random.below(ACCOUNTS);
    const base = this.#world.model.nextNonce(addresses[from] as string);
    const nonce = Math.min(NONCES - 1, Math.max(0, base + (random.chance(75) ? 0 : random.below(5) - 2)));
    return payment(from, nonce, random.below(VARIANTS));
  }

  submitSome(): string {
    const { random } = this.#world;
    for (let left = random.chance(8) ? 12 : 1 + random.below(3); left > 0; left -= 1) {
      const signed = this.newPayment();
      const key = random.chance(25) ? `key ${random.below(KEYS)}` : undefined;
      this.submit(signed, this.pickClient(), key);
    }
    return 'submit';
  }

  /** So much at once that its block is made in steps. */
  flood(): string {
    for (const [from, address] of addresses.slice(0, ACCOUNTS).entries())
      for (
        let nonce = this.#world.model.nextNonce(address), left = FLOOD_OF_ACCOUNT;
        left > 0 && nonce < NONCES;
        left -= 1
      )
        this.submit(payment(from, nonce++, SMALL), CLIENTS[from % CLIENTS.length] as Principal, undefined);
    return 'flood';
  }

  submitAgain(): string {
    const { random } = this.#world;
    const known = random.pick(this.#known.slice(-30));
    if (known === undefined) return 'nothing';
    const { signed, who, key } = known;
    const { from, nonce } = numbersOf(signed);
    const again =
      random.chance(30) && nonce < NONCES_SIGNED_TWICE ? paymentSignedAgain(from, nonce, variantOf(signed)) : signed;
    this.submit(again, random.chance(80) ? who : this.pickClient(), random.chance(80) ? key : undefined);
    return 'submit again';
  }

  submit(signed: Signed, who: Principal, key: string | undefined): void {
    const process = this.#world.process as SimulatedProcess;
    this.#known.push({ signed, who, key });
    const { from, to, amount, nonce, reference, validUntil, signature } = signed.tx;
    const input = { from, to, amount: amount.toString(), nonce, reference, validUntil, signature };
    this.#world.ask(
      process,
      process.gateway.submit(input as Parameters<typeof process.gateway.submit>[0], who, key),
      (answer) => this.#submitted(answer, signed, who, key),
    );
  }

  #submitted(answer: Submitted | Refusal, signed: Signed, who: Principal, key: string | undefined): void {
    const { model } = this.#world;
    const { hash, tx } = signed;
    if (!answer.ok) {
      this.#world.note(`refused ${answer.code}`);
      this.#world.coverage.count(`refused ${answer.code}`);
      return this.#checkRefusal(answer.code, signed, who, key);
    }
    const { txHash, status } = answer.transaction;
    this.#world.note(`answered ${txHash} ${status} ${answer.replayed}`);
    const known = model.byHash.get(txHash);
    demand(known !== undefined, () => `${txHash} was acknowledged and the log does not have it`);
    demand(
      known.from === tx.from && known.nonce === tx.nonce && known.to === tx.to && known.amount === tx.amount,
      () => `${hash} was answered with another payment, ${txHash}`,
    );
    if (answer.replayed) {
      this.#world.coverage.count(txHash === hash ? 'replayed' : 'replayed under another signature');
    } else {
      demand(txHash === hash && !this.fresh.has(hash), () => `${hash} was accepted a second time`);
      demand(known.owner === who.owner, () => `${hash} belongs to ${known.owner}`);
      demand(key === undefined || known.key === key, () => `${hash} has the key ${known.key}`);
      this.fresh.add(hash);
      this.#world.coverage.count('accepted');
    }
    this.tell(known, status);
  }

  #checkRefusal(code: string, { tx, hash }: Signed, who: Principal, key: string | undefined): void {
    const { model } = this.#world;
    const { from, nonce, amount, validUntil } = tx;
    const account = model.account(from);
    const explained = (): boolean => {
      switch (code) {
        case 'nonce_conflict':
          return model
            .at(from, nonce)
            .some((one) => one.hash !== hash && ['pending', 'committed', 'failed'].includes(one.status));
        case 'nonce_too_low':
          return nonce < account.nonce;
        case 'nonce_cancelled':
          return account.voids.has(nonce);
        case 'insufficient_funds':
          return account.balance - model.reserved(from) < amount;
        case 'validity_passed':
          return (
            validUntil !== undefined &&
            BigInt(validUntil) * 1000n <= BigInt(Math.max(this.#world.time.wallMsMax, Number(model.timeNs / MS)))
          );
        case 'idempotency_key_reused': {
          const other = key === undefined ? undefined : model.keyed(who.owner, key);
          return other !== undefined && other.hash !== hash;
        }
        case 'store_unavailable':
          return this.#world.mayHold();
        case 'engine_unavailable':
          return this.#world.mayEnd;
        case 'shutting_down':
          return true;
        default:
          return false;
      }
    };
    demand(explained(), () => `${hash} was refused as ${code}, and nothing says why`);
  }

  /** Once it is told a status that is final, a client hears no other one. */
  tell(known: Known, status: Status): void {
    demand(
      status === known.status || status === 'pending',
      () => `${known.hash} is shown as ${status}, and the log says ${known.status}`,
    );
    const before = this.#told.get(known.hash);
    demand(
      before === undefined || before === 'pending' || before === status,
      () => `${known.hash} was ${before}, and is ${status}`,
    );
    this.#told.set(known.hash, status);
  }

  cancelOne(): string {
    const { random, model } = this.#world;
    const pending = model.pending;
    const known =
      random.chance(75) && pending.length > 0 ? random.pick(pending) : random.pick(model.transfers.slice(-20));
    if (known === undefined) return 'nothing';
    const process = this.#world.process as SimulatedProcess;
    const who = random.chance(10) ? MALLORY : CLIENTS.find(({ owner }) => owner === known.owner);
    if (who === undefined) return 'nothing';
    const cancel = process.gateway.cancel(known.hash, who, random.chance(60) ? WAIT_MS : 0);
    this.#world.ask(process, cancel, (answer) => {
      if (!answer.ok) {
        this.#world.note(`cancel refused ${answer.code}`);
        this.#world.coverage.count(`cancel refused ${answer.code}`);
        const isTrue =
          answer.code === 'already_settled'
            ? known.status !== 'pending' && known.status !== 'cancelled'
            : answer.code === 'not_submitter'
              ? who !== CLIENTS.find(({ owner }) => owner === known.owner)
              : this.#world.mayHold() || answer.code === 'shutting_down';
        demand(isTrue, () => `the cancel of ${known.hash}, which is ${known.status}, was refused as ${answer.code}`);
        return;
      }
      this.#world.note(`cancel ${answer.decided} ${answer.transaction.status}`);
      this.#world.coverage.count(answer.decided ? 'cancel decided' : 'cancel asked for');
      demand(
        answer.decided ? known.status === 'cancelled' : known.cancelRequested || known.status !== 'pending',
        () => `the cancel of ${known.hash} was acknowledged, and the log says ${known.status}`,
      );
      if (answer.decided) this.tell(known, 'cancelled');
    });
    return 'cancel';
  }

  /** Somebody waits for a payment to be settled. */
  follow(): string {
    const pending = this.#world.model.pending.slice(-FOLLOWED_MAX);
    const known = this.#world.random.pick(pending);
    if (known === undefined) return 'nothing';
    const process = this.#world.process as SimulatedProcess;
    this.#world.ask(process, process.gateway.waitUntilSettled(known.hash, WAIT_MS), (record) => {
      if (record === undefined) return;
      this.#world.note(`waited ${record.txHash} ${record.status}`);
      this.#world.coverage.count('told by a wait');
      this.tell(known, record.status);
    });
    return 'follow';
  }

  /** Anyone may broadcast anything that a sender signed: another payment at a nonce, another signature, the sender's own cancel. */
  outsider(): string {
    const { random } = this.#world;
    const old = random.pick(this.#known.slice(-30))?.signed ?? this.newPayment();
    const { from, nonce } = numbersOf(old);
    const choice = random.below(10);
    const raw =
      choice < 3
        ? this.newPayment().raw
        : choice < 5
          ? old.raw
          : choice < 7 && nonce < NONCES_SIGNED_TWICE
            ? paymentSignedAgain(from, nonce, variantOf(old)).raw
            : choice < 8
              ? payment(from, nonce, random.below(VARIANTS)).raw
              : cancelOf(from, nonce, choice === 8 ? VARIANTS : variantOf(old)).raw;
    const process = this.#world.process as SimulatedProcess;
    const fresh = this.newPayment();
    if (choice < 3 && numbersOf(fresh).nonce < NONCES_SIGNED_TWICE) {
      // A sender that signs twice, and sends one here and the other elsewhere.
      const again = paymentSignedAgain(numbersOf(fresh).from, numbersOf(fresh).nonce, variantOf(fresh)).raw;
      this.#world.ask(process, process.ledger.engine.broadcast([{ raw: again }]), ([answer]) =>
        this.#world.note(`broadcast ${answer?.code}`),
      );
      this.submit(fresh, this.pickClient(), undefined);
      return 'outsider';
    }
    this.#world.ask(process, process.ledger.engine.broadcast([{ raw }]), ([answer]) =>
      this.#world.note(`broadcast ${answer?.code}`),
    );
    return 'outsider';
  }
}

const numbersOf = ({ tx: { from, nonce } }: Signed): { from: number; nonce: number } => ({
  from: addresses.indexOf(from),
  nonce,
});

function variantOf(signed: Signed): number {
  const { from, nonce } = numbersOf(signed);
  for (let variant = 0; variant < VARIANTS; variant += 1) {
    const { tx } = payment(from, nonce, variant);
    if (
      tx.amount === signed.tx.amount &&
      tx.reference === signed.tx.reference &&
      tx.validUntil === signed.tx.validUntil
    )
      return variant;
  }
  return 0;
}
