/** A fresh ledger with funded payers, and which of the signed transfers it has been sent: those are all acknowledged, or the run ends. */
import { DEV_ACCOUNTS, devAddress } from '../../ledger/support.ts';
import { signTransaction, type Transfer } from '../../../server/ledger/index.ts';
import { call } from '../../e2e/support/server.ts';
import { closedLoop } from '../load/closed-loop.ts';
import type { LoadResult, Work } from '../load/load-result.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { DEV_CHAIN_ID, FUNDING, FUNDS, type SetName } from '../transfers/payers.ts';
import type { TransferSet } from '../transfers/transfer-set.ts';
import { LedgerServer } from './ledger-server.ts';

export type Sets = Record<SetName, TransferSet>;

const ACCEPTED = 202;
const OK = 200;
const RESENDS_MAX = 3;
const RESEND_CONNECTIONS = 4;
const WARM_UP_CONNECTIONS = 32;

/** A run of transfers that is about to be sent. */
export interface Posts {
  work: Work;
  /** Sends again what was refused, unmeasured, so that no gap in the nonces holds up what follows. Rejects when it is refused for good. */
  repair(load: LoadResult): Promise<void>;
}

export class LedgerSession {
  readonly build: string;
  readonly server: LedgerServer;
  readonly sets: Sets;
  /** How many of each set were sent. */
  readonly sent: Record<SetName, number> = { known: 0, fresh: 0 };
  /** Which of `known` were looked up by id. */
  readonly asked = new Set<number>();
  readonly hasBatch: boolean;

  private constructor(build: string, server: LedgerServer, sets: Sets, hasBatch: boolean) {
    this.build = build;
    this.server = server;
    this.sets = sets;
    this.hasBatch = hasBatch;
  }

  static async start(
    build: string,
    checkout: string,
    sets: Sets,
    variables: Record<string, string> = {},
  ): Promise<LedgerSession> {
    const server = await LedgerServer.start(checkout, variables);
    try {
      const session = new LedgerSession(build, server, sets, await server.has('/transactions/batch'));
      await session.#fund();
      return session;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  posts(set: SetName, count: number, connections: number): Posts {
    const { port, token } = this.server;
    const first = this.#take(set, count);
    const requests = Array.from({ length: count }, (_, at) =>
      requestBytes({ port, token, method: 'POST', path: '/transactions', body: this.sets[set].body(first + at) }),
    );
    // One that was taken although its answer said otherwise is answered with 200 when it is sent again.
    return this.#sending(
      { port, connections, count, request: (index) => requests[index]!, accepts: (status) => status === ACCEPTED },
      (status) => status === ACCEPTED || status === OK,
    );
  }

  /** So many requests of `size` transfers each. */
  batches(count: number, size: number, connections: number, set: SetName = 'known'): Posts {
    const { port, token } = this.server;
    const first = this.#take(set, count * size);
    const bodyOf = (request: number): string => {
      const transfers = Array.from({ length: size }, (_, at) => this.sets[set].body(first + request * size + at));
      return `{"transactions":[${transfers.join(',')}]}`;
    };
    const requests = Array.from({ length: count }, (_, at) =>
      requestBytes({ port, token, method: 'POST', path: '/transactions/batch', body: bodyOf(at) }),
    );
    return this.#sending({
      port,
      connections,
      count,
      request: (index) => requests[index]!,
      accepts: (status, body) => status === OK && !body.includes('"outcome":"refused"'),
    });
  }

  /** Reads of these paths, in turn. */
  reads(paths: readonly string[], count: number, connections: number): Work {
    const { port, token } = this.server;
    const requests = paths.map((path) => requestBytes({ port, token, path }));
    return {
      port,
      connections,
      count,
      request: (index) => requests[index % requests.length]!,
      accepts: (status) => status === OK,
    };
  }

  /** Sends without measuring, as to warm up or to fill. */
  async submit(count: number, connections = WARM_UP_CONNECTIONS): Promise<void> {
    const { work, repair } = this.posts('known', count, connections);
    await repair(await closedLoop(work));
  }

  #take(set: SetName, count: number): number {
    const first = this.sent[set];
    if (first + count > this.sets[set].count)
      throw new RangeError(`${first + count} transfers are needed, ${this.sets[set].count} are signed`);
    this.sent[set] += count;
    return first;
  }

  /** @param accepts of what is sent again. */
  #sending(work: Work, accepts: Work['accepts'] = work.accepts): Posts {
    const repair = async ({ refused, refusals }: LoadResult): Promise<void> => {
      let left = refused;
      for (let time = 0; left.length > 0; time += 1) {
        if (time === RESENDS_MAX)
          throw new Error(`${this.build} refused ${left.length} requests for good: ${JSON.stringify(refusals)}`);
        const again = left;
        const { refused: refusedAgain } = await closedLoop({
          ...work,
          accepts,
          connections: RESEND_CONNECTIONS,
          count: again.length,
          request: (index) => work.request(again[index]!),
        });
        left = refusedAgain.map((index) => again[index]!);
      }
    };
    return { work, repair };
  }

  async #fund(): Promise<void> {
    for (const { from, seed, to, nonce } of FUNDING) {
      const { signature } = signTransaction<Transfer>(
        { kind: 'transfer', chainId: DEV_CHAIN_ID, from, to, amount: FUNDS, nonce },
        seed,
      );
      const body = JSON.stringify({ from, to, amount: String(FUNDS), nonce, signature });
      const { status, body: answer } = await call(`${this.server.baseUrl}/transactions`, {
        method: 'POST',
        token: this.server.token,
        headers: { 'content-type': 'application/json' },
        body,
      });
      if (status !== ACCEPTED) throw new Error(`funding was answered ${status}: ${JSON.stringify(answer)}`);
    }
    await this.server.settled();
  }
}

/** What a development account has left after the funding. */
export const DEV_SPENT = Array.from(
  { length: DEV_ACCOUNTS },
  (_, index) => FUNDS * BigInt(FUNDING.filter(({ from }) => from === devAddress(index)).length),
);
