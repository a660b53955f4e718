/**
 * A client that makes, changes and takes away tokens and webhooks, and reads lists, until the server is gone. What was answered holds after the next
 * start; what was asked for and not answered may hold or not, and is then known from what is there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from '../e2e/support/chain.ts';
import type { Chance } from '../client/chaos/chance.ts';
import { Connection, type Reply } from '../power/load.ts';
import type { AddFault } from './known.ts';

/** An owner may have twenty webhooks. */
const WEBHOOKS_MAX = 12;
/** Tokens whose state is asked for after a start: the last ones. */
const TOKENS_COMPARED = 12;
const PAUSE_MS = 15;
/** Nobody listens there. */
const TARGET = 'http://127.0.0.1:9/';

interface Token {
  id: string;
  text: string;
  /** Undefined while a revocation was asked for and not answered. */
  isRevoked: boolean | undefined;
}

interface Webhook {
  /** What it may be; more than one after a change that was not answered. */
  descriptions: string[];
  mayBeGone: boolean;
}

export class Changes {
  readonly #token: string;
  readonly #random: Chance;
  readonly #add: AddFault;
  readonly #heard: (askedMs: number, reply: Reply) => void;
  readonly #tokens: Token[] = [];
  readonly #webhooks = new Map<string, Webhook>();
  readonly #deleted = new Set<string>();
  #madeUnanswered = 0;
  #count = 0;
  /** Changes that were answered. */
  acknowledged = 0;

  /** @param token with access:manage and transactions:read. */
  constructor(token: string, random: Chance, heard: (askedMs: number, reply: Reply) => void, add: AddFault) {
    this.#token = token;
    this.#random = random;
    this.#heard = heard;
    this.#add = add;
  }

  /** Resolves when the server is gone. */
  async run(chain: Chain): Promise<void> {
    const connection = new Connection(chain);
    const manager = new Connection(chain, this.#token);
    const steps = [
      () => this.#makeToken(manager),
      () => this.#revokeToken(manager),
      () => this.#makeWebhook(connection),
      () => this.#changeWebhook(connection),
      () => this.#deleteWebhook(connection),
      () => this.#list(connection),
    ];
    try {
      for (;;) {
        await steps[Math.floor(this.#random() * steps.length)]?.();
        await sleep(PAUSE_MS);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    } finally {
      connection.close();
      manager.close();
    }
  }

  async compare(chain: Chain): Promise<void> {
    for (const token of this.#tokens.slice(-TOKENS_COMPARED)) {
      const connection = new Connection(chain, token.text);
      const { status } = await connection.ask('GET', '/transactions?limit=1');
      connection.close();
      if (status !== 200 && status !== 401) throw new Error(`a token is answered ${status}`);
      if (token.isRevoked !== undefined && token.isRevoked !== (status === 401))
        this.#lost(`token ${token.id} was ${token.isRevoked ? 'revoked' : 'made'}, and is answered ${status}`);
      token.isRevoked = status === 401;
    }
    const connection = new Connection(chain);
    const { body } = await connection.ask('GET', '/webhooks');
    connection.close();
    const there = new Map<string, string>(
      (body.webhooks as { id: string; description: string }[]).map(({ id, description }) => [id, description]),
    );
    for (const [id, { descriptions, mayBeGone }] of this.#webhooks) {
      const found = there.get(id);
      if (found === undefined) {
        if (!mayBeGone) this.#lost(`webhook ${id} was made and is not there`);
        this.#webhooks.delete(id);
        this.#deleted.add(id);
      } else if (!descriptions.includes(found))
        this.#lost(`webhook ${id} was changed to ${descriptions.join(' or ')}, and is ${found}`);
      else this.#webhooks.set(id, { descriptions: [found], mayBeGone: false });
    }
    const unknown = [...there].filter(([id]) => !this.#webhooks.has(id));
    for (const [id, description] of unknown) {
      if (this.#deleted.has(id)) this.#lost(`webhook ${id} was deleted and is there`);
      this.#webhooks.set(id, { descriptions: [description], mayBeGone: false });
    }
    if (unknown.length > this.#madeUnanswered)
      this.#lost(`${unknown.length} webhooks are there that no request made, or that were deleted`);
    this.#madeUnanswered = 0;
  }

  #lost(what: string): void {
    this.#add('changes of access and webhooks lost', what);
  }

  /** Undefined for an outcome that is open: chain.db stands still, and the answer says so. */
  async #ask(connection: Connection, expected: number, ...question: Parameters<Connection['ask']>): Promise<any> {
    const askedMs = performance.now();
    const reply = await connection.ask(...question);
    this.#heard(askedMs, reply);
    if (reply.status === 503) return undefined;
    if (reply.status !== expected)
      throw new Error(`${question[0]} ${question[1]} is answered ${reply.status} ${JSON.stringify(reply.body)}`);
    this.acknowledged += question[0] === 'GET' ? 0 : 1;
    return reply.body ?? {};
  }

  async #makeToken(manager: Connection): Promise<void> {
    const wanted = { owner: 'killed', scopes: ['transactions:read'] };
    const made = await this.#ask(manager, 201, 'POST', '/access/tokens', wanted);
    if (made !== undefined) this.#tokens.push({ id: made.tokenId, text: made.token, isRevoked: false });
  }

  async #revokeToken(manager: Connection): Promise<void> {
    const good = this.#tokens.slice(-TOKENS_COMPARED).filter(({ isRevoked }) => isRevoked === false);
    const token = good[Math.floor(this.#random() * good.length)];
    if (token === undefined) return;
    token.isRevoked = undefined;
    if ((await this.#ask(manager, 204, 'DELETE', `/access/tokens/${token.id}`)) !== undefined) token.isRevoked = true;
  }

  async #makeWebhook(connection: Connection): Promise<void> {
    if (this.#webhooks.size + this.#madeUnanswered >= WEBHOOKS_MAX) return;
    const number = (this.#count += 1);
    const description = `made ${number}`;
    this.#madeUnanswered += 1;
    const made = await this.#ask(connection, 201, 'POST', '/webhooks', { url: `${TARGET}${number}`, description });
    if (made === undefined) return;
    this.#madeUnanswered -= 1;
    this.#webhooks.set(made.id, { descriptions: [description], mayBeGone: false });
  }

  async #changeWebhook(connection: Connection): Promise<void> {
    const [id, webhook] = this.#anyWebhook();
    if (id === undefined || webhook === undefined) return;
    const description = `changed ${(this.#count += 1)}`;
    webhook.descriptions.push(description);
    if ((await this.#ask(connection, 200, 'PATCH', `/webhooks/${id}`, { description })) !== undefined)
      webhook.descriptions = [description];
  }

  async #deleteWebhook(connection: Connection): Promise<void> {
    const [id, webhook] = this.#anyWebhook();
    if (id === undefined || webhook === undefined) return;
    webhook.mayBeGone = true;
    if ((await this.#ask(connection, 204, 'DELETE', `/webhooks/${id}`)) === undefined) return;
    this.#webhooks.delete(id);
    this.#deleted.add(id);
  }

  /** One whose state is known. */
  #anyWebhook(): [id?: string, webhook?: Webhook] {
    const all = [...this.#webhooks].filter(([, { mayBeGone }]) => !mayBeGone);
    return all[Math.floor(this.#random() * all.length)] ?? [];
  }

  async #list(connection: Connection): Promise<void> {
    const paths = ['/transactions?limit=200', '/webhooks', '/transactions?status=pending&limit=200'];
    await this.#ask(connection, 200, 'GET', paths[Math.floor(this.#random() * paths.length)] as string);
  }
}
