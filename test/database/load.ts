/** Senders that submit, repeat what was not answered, cancel some, and remember everything that they were told. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway, Principal, TransferInput } from '../../server/gateway/index.ts';
import { paymentMembers, type Transfer } from '../../server/ledger/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import type { SupervisedGateway } from './gateways.ts';

export const ALICE: Principal = {
  tokenId: 'token-of-alice',
  owner: 'alice',
  scopes: ['transactions:read', 'transactions:write'],
};

const SENDERS = 6;
const RETRY_MS = 50;
/** So many transfers, and then one that is cancelled at once. */
const CANCEL_EVERY = 4;
const CANCEL_WAIT_MS = 5000;
/** How far a sender may be ahead of the last one that it saw settled, so that nothing is left waiting behind a gap for long. */
const AHEAD_MAX = 20;

export interface Told {
  transfer: ReturnType<typeof signedTransfer>;
  acknowledgedAtMs: number;
  /** The service said 200 "cancelled". */
  cancelled: boolean;
}

export class Load {
  readonly told: Told[] = [];
  readonly faults: string[] = [];
  readonly #gateways: readonly SupervisedGateway[];
  readonly #nonces = Array.from({ length: SENDERS }, () => 0);
  #running = false;
  #senders: Promise<void>[] = [];

  constructor(gateways: readonly SupervisedGateway[]) {
    this.#gateways = gateways;
  }

  start(): void {
    this.#running = true;
    this.#senders = Array.from({ length: SENDERS }, (_, sender) => this.#send(sender));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#senders);
  }

  /** A gateway of those that run, another at each call. */
  any(turn: number): Gateway | undefined {
    return this.#gateways[turn % this.#gateways.length]?.gateway;
  }

  async #send(sender: number): Promise<void> {
    for (let turn = sender; this.#running; turn += 1) {
      const nonce = this.#nonces[sender] ?? 0;
      const transfer = signedTransfer({ from: sender, to: 8, nonce });
      if (!(await this.submit(transfer, turn))) return;
      this.#nonces[sender] = nonce + 1;
      const told: Told = { transfer, acknowledgedAtMs: Date.now(), cancelled: false };
      this.told.push(told);
      if (nonce % CANCEL_EVERY === 1) await this.#cancel(told, turn);
      if (nonce % AHEAD_MAX === 0) await sleep(RETRY_MS);
    }
  }

  /** Until it is acknowledged, or refused in a way that no repetition changes. False: the load has ended. */
  async submit(transfer: Told['transfer'], turn: number): Promise<boolean> {
    for (let attempt = turn; ; attempt += 1) {
      const answer = await this.any(attempt)
        ?.submit(inputOf(transfer), ALICE)
        .catch((error: unknown) => void this.faults.push(`submitting ended with ${String(error)}`));
      if (typeof answer === 'object' && answer.ok) return true;
      if (
        typeof answer === 'object' &&
        !['store_unavailable', 'engine_unavailable', 'shutting_down'].includes(answer.code)
      ) {
        this.faults.push(`${transfer.hash} nonce ${transfer.tx.nonce}: ${answer.code} ${answer.detail}`);
        return false;
      }
      if (!this.#running) return false;
      await sleep(RETRY_MS);
    }
  }

  async #cancel(told: Told, turn: number): Promise<void> {
    const answer = await this.any(turn)
      ?.cancel(told.transfer.hash, ALICE, CANCEL_WAIT_MS)
      .catch((error: unknown) => void this.faults.push(`cancelling ended with ${String(error)}`));
    told.cancelled = typeof answer === 'object' && answer.ok && answer.decided;
  }
}

export function inputOf({ tx }: { tx: Transfer }): TransferInput {
  return {
    from: tx.from,
    to: tx.to,
    amount: tx.amount.toString(),
    nonce: tx.nonce,
    ...paymentMembers(tx),
    signature: tx.signature,
  };
}
