/** The mark of a chain's format in the databases that belong to it. */
import { CHAIN_FORMAT } from './genesis-format.ts';

const NAME = 0x54_58_4c_00; // "TXL"
const FORMAT_MASK = 0xff;

/** `application_id` in the header of every SQLite file of a chain. Files of format 1 have none. */
export const CHAIN_FILE_ID = NAME | CHAIN_FORMAT;

/** The chain format of an `application_id`; undefined for that of another application. */
export function formatOfFileId(id: number): number | undefined {
  if (id === 0) return 1;
  return (id & ~FORMAT_MASK) === NAME ? id & FORMAT_MASK : undefined;
}
