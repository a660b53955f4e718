/** One line on standard error that says what is being done; on a terminal it is written over, elsewhere each is a line of its own. */
const startedMs = performance.now();
const MS_PER_S = 1000;

export function progress(text: string): void {
  const line = `[${Math.round((performance.now() - startedMs) / MS_PER_S)} s] ${text}`;
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
}

export function progressEnd(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
