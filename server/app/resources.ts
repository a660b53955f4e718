/**
 * Checks that the limits of this process are enough for a server to start: with lower ones it fails at an arbitrary point, with errors that
 * do not name the reason.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { readOpenFilesMax } from './open-files.ts';
import { StartError } from './start-error.ts';

/**
 * Measured after a first transfer: 51 descriptors with one HTTP thread. Some more are for connections, without which no request could be
 * answered.
 */
const OPEN_FILES_MIN = 80;
/** Measured: 7 for each further HTTP thread. */
const OPEN_FILES_PER_THREAD = 8;
/** A start takes 32 MiB of heap; with less than twice as much the first busy second would end the process. */
const HEAP_MIB_MIN = 64;
/** Measured: a start with one HTTP thread fails with 1.5 GiB of address space and works with 1.8, most of which V8 reserves without using it. */
const ADDRESS_SPACE_MIB_MIN = 2048;
const ADDRESS_SPACE_MIB_PER_THREAD = 640;
const KIB = 1024;

/** Bytes of the soft limit; `unlimited` does not match. */
const ADDRESS_SPACE = /^Max address space\s+(\d+)/m;
const HEAP_OPTION = /^--max[-_]old[-_]space[-_]size=(\d+)$/;

export interface Resources {
  openFilesMax: number | undefined;
  /** Undefined if unlimited or unknown. */
  addressSpaceMib: number | undefined;
  /** Undefined if Node.js derives it from the machine's memory. */
  heapMib: number | undefined;
}

function readAddressSpaceMib(): number | undefined {
  try {
    const found = ADDRESS_SPACE.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found) / KIB / KIB;
  } catch {
    return undefined;
  }
}

export function readResources(): Resources {
  const options = [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv];
  const heaps = options.map((option) => HEAP_OPTION.exec(option)?.[1]).filter((found) => found !== undefined);
  const heap = heaps.at(-1);
  return {
    openFilesMax: readOpenFilesMax(),
    addressSpaceMib: readAddressSpaceMib(),
    heapMib: heap === undefined ? undefined : Number(heap),
  };
}

/** @throws StartError that names the limit, the needed value, and the remedy. */
export function checkResources(
  httpThreads: number,
  { openFilesMax, addressSpaceMib, heapMib }: Resources = readResources(),
): void {
  const files = OPEN_FILES_MIN + OPEN_FILES_PER_THREAD * httpThreads;
  if (openFilesMax !== undefined && openFilesMax < files) {
    throw new StartError(
      `This process may open ${openFilesMax} files, and with HTTP_THREADS=${httpThreads} it needs at least ${files}. Raise the limit (ulimit -n, LimitNOFILE= in systemd), better to 8192 or more.`,
    );
  }
  if (heapMib !== undefined && heapMib < HEAP_MIB_MIN) {
    throw new StartError(
      `--max-old-space-size=${heapMib} leaves each thread a heap of ${heapMib} MiB, and a server needs at least ${HEAP_MIB_MIN}. Raise it or leave it out (the command line, NODE_OPTIONS).`,
    );
  }
  const space = ADDRESS_SPACE_MIB_MIN + ADDRESS_SPACE_MIB_PER_THREAD * (httpThreads - 1);
  if (addressSpaceMib !== undefined && addressSpaceMib < space) {
    throw new StartError(
      `This process may have ${Math.floor(addressSpaceMib)} MiB of address space, and with HTTP_THREADS=${httpThreads} it needs at least ${space}: V8 reserves far more than it uses. ` +
        'Take the limit away (ulimit -v unlimited, LimitAS=infinity in systemd); MemoryMax= or a container bounds what is used.',
    );
  }
}
