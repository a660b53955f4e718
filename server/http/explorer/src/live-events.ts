/**
 * Follows the stream of events, so that the decisions of a block are shown at once and not at the next poll. An event only triggers a poll:
 * without a token, or without the stream, the poll of every second shows the same.
 */
import { call } from './api.ts';
import { asProblem } from './problem.ts';
import { onToken, token } from './session.ts';

/** Pause after the end of a stream. */
const AGAIN_MS = 2000;

/**
 * Calls back with the height of each event and each heartbeat. A browser opens at most six connections, so a hidden page closes its own.
 */
export function followEvents(onHeight: (height: number) => void): void {
  let open: AbortController | undefined;
  const restart = (): void => {
    open?.abort();
    open = new AbortController();
    if (token() !== undefined && document.visibilityState === 'visible') void follow(onHeight, open.signal);
  };
  document.addEventListener('visibilitychange', restart);
  onToken(restart);
  restart();
}

async function follow(onHeight: (height: number) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { body } = await call('events', { headers: { Accept: 'text/event-stream' }, signal, isEndless: true });
      if (body !== null) await read(body, onHeight);
    } catch (error) {
      // Refused: the token may not read, or too many streams are open. With another token it is tried again.
      if (asProblem(error).status >= 400 && asProblem(error).status < 500) return;
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, onHeight: (height: number) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const height = /^(?:id: |: height )(\d+)/.exec(line)?.[1];
      if (height !== undefined) onHeight(Number(height));
    }
  }
}
