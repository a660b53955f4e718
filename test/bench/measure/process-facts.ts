/** Memory and disk of a process, from Linux's /proc. */
import { readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;

export interface Memory {
  rssMib: number;
  peakMib: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / KIB_PER_MIB;
  return { rssMib: mib('VmRSS'), peakMib: mib('VmHWM') };
}

export interface Written {
  /** Bytes that went to a disk (`write_bytes`). */
  diskBytes: number;
  /** Bytes handed to write calls, sockets too (`wchar`). */
  callBytes: number;
  /** Write calls, sockets too (`syscw`). */
  calls: number;
}

export function writtenBy(pid: number): Written {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const number = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
  return { diskBytes: number('write_bytes'), callBytes: number('wchar'), calls: number('syscw') };
}
