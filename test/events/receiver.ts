/**
 * A receiver of the event stream that can be killed at any moment: it keeps what it handled in one file and its place in another, which it
 * writes now and then. Killed in between it goes on from the last place it wrote, and handles some events again: at least once.
 *
 *   node test/events/receiver.ts BASE_URL TOKEN HANDLED_FILE PLACE_FILE
 */
import { existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Events between two places that are written: what a kill makes it handle again, at most. */
const PLACE_EVERY = 20;
const RECONNECT_MS = 50;

const [baseUrl = '', token = '', handledFile = '', placeFile = ''] = process.argv.slice(2);
const handled = openSync(handledFile, 'a');
let place = existsSync(placeFile) ? readFileSync(placeFile, 'utf8') : '0';
let unsaved = 0;
/** Handled since it was told. */
let count = 0;
// A line of its own says that this is another life, and where it begins.
writeSync(handled, `\n= ${place}\n`);

/** A file is there whole or not at all. */
function save(): void {
  writeFileSync(`${placeFile}.new`, place);
  renameSync(`${placeFile}.new`, placeFile);
  unsaved = 0;
}

function handle(block: string): void {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const id = field('id');
  const data = field('data');
  if (data !== undefined) {
    const { transaction } = (JSON.parse(data) as { data: { transaction: { txHash: string; status: string } } }).data;
    writeSync(handled, `${id} ${transaction.txHash} ${transaction.status}\n`);
    unsaved += 1;
    count += 1;
  }
  place = id ?? place;
  if (unsaved >= PLACE_EVERY) save();
}

function stream(): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request(
      `${baseUrl}/events`,
      {
        agent: false,
        headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': place },
      },
      (incoming) => {
        let rest = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          if (incoming.statusCode !== 200) return;
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) handle(block);
          // The parent counts, and decides when to kill.
          process.stdout.write('.'.repeat(count));
          count = 0;
        });
        incoming.on('error', () => undefined);
        incoming.on('close', resolve);
      },
    );
    outgoing.on('error', () => resolve());
    outgoing.end();
  });
}

for (;;) {
  await stream();
  // The tail of the event that was cut off is dropped with the connection.
  await sleep(RECONNECT_MS);
}
