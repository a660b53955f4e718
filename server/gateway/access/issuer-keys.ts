/**
 * Public keys of the issuer of JWTs: fetched when they are needed, kept while they are fresh, and kept for a bounded time longer while the
 * issuer cannot be reached.
 */
import type { JWTVerifyGetKey } from 'jose';
import type { Clock, Logger } from '../../engine/ports.ts';
import { JWKS_COOLDOWN_MS, JWKS_FRESH_MS, JWKS_RETRY_MS, JWKS_STALE_MS_MAX } from './jwt-settings.ts';

/** Reads the issuer's key set (RFC 7517), bounded in size and time. */
export type FetchKeys = () => Promise<unknown>;

/** No keys, and no way to get any now. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

interface Keys {
  find: JWTVerifyGetKey;
  /** Text of the set, to see whether the next one differs. */
  text: string;
  fetchedMs: number;
  generation: number;
}

export interface IssuerKeysParts {
  fetchKeys: FetchKeys;
  clock: Clock;
  logger: Logger;
}

export class IssuerKeys {
  readonly #parts: IssuerKeysParts;
  #keys: Keys | undefined;
  #fetching: Promise<void> | undefined;
  #nextFetchMs = Number.NEGATIVE_INFINITY;
  #generation = 0;

  constructor(parts: IssuerKeysParts) {
    this.#parts = parts;
  }

  /** Changes when the keys differ: a signature that was verified before has to be verified again. */
  get generation(): number {
    return this.#generation;
  }

  /** True while a verification with these keys needs no fetch from the issuer. */
  get fresh(): boolean {
    return this.#keys !== undefined && this.#ageMs(this.#keys) < JWKS_FRESH_MS;
  }

  /**
   * Returns the key that a JWT names and the generation of its set: the keys can change while a signature is verified. Throws
   * KeysUnavailableError, and jose's error when the issuer has no such key.
   */
  async find(
    ...[header, token]: Parameters<JWTVerifyGetKey>
  ): Promise<{ key: Awaited<ReturnType<JWTVerifyGetKey>>; generation: number }> {
    const keys = await this.#current();
    const among = async ({ find, generation }: Keys) => ({ key: await find(header, token), generation });
    try {
      return await among(keys);
    } catch (error) {
      // The issuer may have a new key.
      const sinceMs = this.#ageMs(keys);
      if (sinceMs < JWKS_COOLDOWN_MS || this.#nextFetchMs > this.#parts.clock.monotonicMs()) throw error;
      await this.#fetch();
      return await among(this.#keys ?? keys);
    }
  }

  async #current(): Promise<Keys> {
    const known = this.#keys;
    if (known === undefined || this.#ageMs(known) >= JWKS_STALE_MS_MAX) await this.#fetch();
    else if (!this.fresh) void this.#fetch();
    const keys = this.#keys;
    if (keys === undefined || this.#ageMs(keys) >= JWKS_STALE_MS_MAX)
      throw new KeysUnavailableError('the keys of the issuer are not known');
    return keys;
  }

  /** One fetch at a time, with a pause after one that failed. Never rejects. */
  async #fetch(): Promise<void> {
    if (this.#fetching === undefined && this.#parts.clock.monotonicMs() < this.#nextFetchMs) return;
    this.#fetching ??= this.#fetchOnce().finally(() => {
      this.#fetching = undefined;
    });
    await this.#fetching;
  }

  async #fetchOnce(): Promise<void> {
    const { fetchKeys, clock, logger } = this.#parts;
    try {
      const set = await fetchKeys();
      const { createLocalJWKSet } = await import('jose');
      const text = JSON.stringify(set);
      // Checks the form of the set. The same set keeps the keys that were made from it.
      const find = this.#keys?.text === text ? this.#keys.find : createLocalJWKSet(set as never);
      if (this.#keys?.text !== text) this.#generation += 1;
      this.#keys = { find, text, fetchedMs: clock.monotonicMs(), generation: this.#generation };
      this.#nextFetchMs = Number.NEGATIVE_INFINITY;
    } catch (error) {
      this.#nextFetchMs = clock.monotonicMs() + JWKS_RETRY_MS;
      logger.error(
        { err: error, haveKeys: this.#keys !== undefined },
        'the keys of the issuer of JWTs could not be fetched',
      );
    }
  }

  #ageMs({ fetchedMs }: Keys): number {
    return this.#parts.clock.monotonicMs() - fetchedMs;
  }
}
