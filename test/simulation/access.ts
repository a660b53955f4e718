/** Tokens and bindings that are made and ended, and what requests and rows of chain.db are judged by. */
import { createAdministration, type Refusal } from '../../server/gateway/index.ts';
import { accessRows } from '../../server/store/embedded/admin.ts';
import { devAddress } from '../ledger/support.ts';
import { demand } from './plain-model.ts';
import { ACCOUNTS } from './prepared.ts';
import type { SimulatedProcess } from './process.ts';
import { same, text, type World } from './world.ts';

/** Of accounts that pay nothing, so that no payment is refused for a binding. */
const BOUND = Array.from({ length: 4 }, (_, i) => devAddress(ACCOUNTS + i));
const OWNERS = ['alice', 'bob'] as const;

export class Access {
  readonly #world: World;
  /** What was acknowledged of tokens: made, or revoked. */
  readonly #tokens = new Map<string, 'valid' | 'revoked'>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Somebody makes or ends a token, or binds an address or lets it go. */
  change(): string {
    const { random, model } = this.#world;
    const process = this.#world.process as SimulatedProcess;
    const administration = createAdministration(
      {
        run: async (change) => {
          const answer: unknown = await process.ledger.core.changeAccess(change);
          if (typeof answer === 'object' && answer !== null && 'code' in answer) throw new Refused(answer as Refusal);
          return answer as never;
        },
        now: {} as never,
      },
      {
        clock: process.clock,
        random: { bytes: (n) => Uint8Array.from({ length: n }, () => random.below(256)) },
        actor: 'user:ann@desk',
      },
    );
    const ask = <T>(asked: Promise<T>, told: (answer: T) => void): void => {
      const settled = asked.then(
        (answer) => ({ answer }),
        (error: unknown) => {
          if (error instanceof Refused) return error;
          throw error;
        },
      );
      this.#world.ask(process, settled, (outcome) => {
        if (!(outcome instanceof Refused)) return told(outcome.answer);
        this.#world.coverage.count('access refused');
        const { code } = outcome.refusal;
        demand(
          this.#world.mayHold() || code === 'shutting_down',
          () => `access was not changed (${code}), and nothing says why`,
        );
      });
    };
    const address = random.pick(BOUND) as string;
    const kind = random.below(10);
    if (kind < 4)
      ask(administration.createToken({ owner: 'alice', scopes: ['transactions:read'] }), ({ tokenId }) => {
        demand(model.tokens.has(tokenId), () => `token ${tokenId} was acknowledged and the log does not have it`);
        if (!this.#tokens.has(tokenId)) this.#tokens.set(tokenId, 'valid');
        this.#world.coverage.count('token made');
      });
    else if (kind < 7) {
      const id = random.pick([...this.#tokens.keys()].slice(-10));
      if (id === undefined) return 'nothing';
      ask(administration.revokeToken(id), () => {
        demand(model.tokens.get(id) === 'revoked', () => `token ${id} was revoked, and the log does not say so`);
        this.#tokens.set(id, 'revoked');
        this.#world.coverage.count('token revoked');
      });
    } else if (kind < 9) {
      const owner = random.pick(OWNERS) as string;
      ask(administration.bindAddress(address, owner, { replace: true }), () =>
        this.#world.coverage.count('address bound'),
      );
    } else ask(administration.unbindAddress(address), () => this.#world.coverage.count('address let go'));
    return 'access';
  }

  /** What requests are judged by: memory and rows together. */
  async check(): Promise<void> {
    const { model, random } = this.#world;
    const { core } = (this.#world.process as SimulatedProcess).ledger;
    const id = random.pick([...model.tokens.keys()].slice(-10));
    if (id !== undefined) {
      const token = await core.token(id);
      const found =
        token === undefined || 'ok' in token ? undefined : token.revokedAtMs === undefined ? 'valid' : 'revoked';
      demand(found === model.tokens.get(id), () => `token ${id} is ${found}, and the log says ${model.tokens.get(id)}`);
    }
    const address = random.pick(BOUND) as string;
    const owner = model.owners.get(address);
    for (const one of OWNERS) {
      const may = await core.mayActFor(address, one);
      const wanted = owner === undefined || owner === one;
      demand(may === wanted, () => `${one} ${may ? 'may' : 'may not'} act for ${address}, which is bound to ${owner}`);
    }
  }

  /** Rows of chain.db once it has everything. */
  checkRows(): void {
    const { model } = this.#world;
    const rows = accessRows((this.#world.process as SimulatedProcess).rows);
    const tokens = rows.tokens().map((token) => [token.id, token.revokedAtMs === undefined ? 'valid' : 'revoked']);
    demand(
      same(tokens.toSorted(), [...model.tokens].toSorted()),
      () => `chain.db has the tokens ${text(tokens)}, and the log says ${text([...model.tokens])}`,
    );
    const owners = rows.allBindings().map(({ address, owner }) => [address, owner]);
    demand(
      same(owners.toSorted(), [...model.owners].toSorted()),
      () => `chain.db has the bindings ${text(owners)}, and the log says ${text([...model.owners])}`,
    );
    const trail = rows.auditEntries({ after: 0, limit: 100_000 }).map(({ action, subject }) => `${action} ${subject}`);
    demand(
      same(trail, model.trail),
      () => `the audit trail of chain.db is ${text(trail)}, and the log says ${text(model.trail)}`,
    );
    for (const [id, told] of this.#tokens)
      demand(
        model.tokens.get(id) === told || told === 'valid',
        () => `token ${id} was ${told}, and is ${model.tokens.get(id)}`,
      );
  }
}

/** What the service does not do now. */
class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}
