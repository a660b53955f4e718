/**
 * Last uses of tokens, to the minute: an operator needs them to see which tokens can be removed, not what each did.
 *
 * A use costs a request one lookup in a map. The map is written in bulk, at most once in TOKEN_USES_MS, and no request waits for that.
 */
import type { Clock, Timer } from '../../engine/ports.ts';
import type { TokenUse } from '../../store/index.ts';
import { TOKEN_USES_FIRST_MS, TOKEN_USES_MS } from '../limits.ts';

export class TokenUses {
  readonly #clock: Clock;
  readonly #write: (uses: readonly TokenUse[]) => Promise<void>;
  /** First use of each token since the last write. Only tokens that exist come here, so their number bounds the map. */
  #uses = new Map<string, number>();
  #timer: Timer | undefined;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /** `write` does not fail. */
  constructor(clock: Clock, write: (uses: readonly TokenUse[]) => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Records a use: the token was presented with its secret, and is valid. */
  used(tokenId: string): void {
    if (this.#uses.has(tokenId)) return;
    this.#uses.set(tokenId, this.#clock.nowMs());
    if (this.#timer !== undefined) return;
    const pauseMs = this.#writtenAtMs + TOKEN_USES_MS - this.#clock.monotonicMs();
    this.#timer = this.#clock.setTimer(() => void this.flush(), Math.max(pauseMs, TOKEN_USES_FIRST_MS));
  }

  /** Writes the recorded uses now. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([id, atMs]) => ({ id, atMs }));
    this.#uses = new Map();
    this.#writtenAtMs = this.#clock.monotonicMs();
    await this.#write(uses);
  }
}
