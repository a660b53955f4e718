/**
 * The upgrade as a start runs it: only where an earlier version's files are, and with a word about how far it is. It reads every block and
 * every transfer once, which takes about a minute for a million.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import type { UpgradeOptions } from './upgrade-folder.ts';

/** How often the log says how far it is, where no terminal shows it. */
const LOG_INTERVAL_MS = 5000;
const REDRAW_INTERVAL_MS = 250;
/** Back to the start of the line, and clear it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001B[K';

export async function upgradeAtStart(options: UpgradeOptions): Promise<void> {
  const { files, clock, logger } = options;
  if (!existsSync(files.blocks) && !existsSync(files.gateway) && !existsSync(files.ledger)) return;
  // Loaded only here: it needs the database of a gateway before CometBFT nodes, a third of the modules of a server.
  const { upgradeFolder } = await import('./upgrade-folder.ts');
  const { stderr } = process;
  const intervalMs = stderr.isTTY ? REDRAW_INTERVAL_MS : LOG_INTERVAL_MS;
  let shownMs = clock.monotonicMs();
  await upgradeFolder({
    ...options,
    onProgress: (what, done, of) => {
      if (clock.monotonicMs() - shownMs < intervalMs) return;
      shownMs = clock.monotonicMs();
      if (stderr.isTTY) stderr.write(`${CLEAR_LINE}Upgrading ${files.chain}: ${done} of ${of} ${what}`);
      else logger.info({ what, done, of }, 'upgrading DATA_DIR');
    },
  });
  if (stderr.isTTY) stderr.write(CLEAR_LINE);
}
