/**
 * Moves an open store to another address of its database: another list of hosts, another password, or a copy that took over.
 *
 * Nothing is written while the two databases are compared, so that everything this gateway acknowledged is in the old one or in both. The
 * new one is refused when it is of another chain, or holds less: then everything stays as it was.
 */
import { RelocationRefusedError, StoreUnavailableError } from '../errors.ts';
import type { StorePlace } from '../types.ts';
import { type Address, connectFailure, parseAddress } from './address.ts';
import { messageOf } from './failure.ts';
import type { PostgresClient } from './library.ts';
import { createClient } from './library.ts';
import { HOST_ANSWER_MS_MAX, RELOCATE_IDLE_MS_MAX } from './limits.ts';
import { Primary } from './primary.ts';
import { setUpSession } from './session.ts';
import type { WriteGate } from './write-gate.ts';

/** Enough to see that nothing is missing: the last block, and the last transfer that was accepted. */
interface Place {
  chain_id: string;
  genesis_hash: string;
  height: number;
  hash: string;
  /** Summed over the shards: it grows with every transfer that is accepted. */
  last_seq: number;
  /** The reserved ids are below this. */
  next_ids: number;
  migrations: string;
}

const PLACE = `select chain_id, genesis_hash, height, hash, (select sum(last_seq)::bigint from shards) as last_seq,
  (select next_account_id + next_owner_id from counters) as next_ids,
  (select string_agg(name, ',' order by name) from kysely_migration) as migrations from follower`;

async function onPrimary<T>(address: Address, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const primary = new Primary(address);
  try {
    const host = await primary.find();
    const client = createClient({ ...host.config, query_timeout: HOST_ANSWER_MS_MAX });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await setUpSession(client, 'read');
      return await work(client);
    } catch (error) {
      throw error instanceof StoreUnavailableError || error instanceof RelocationRefusedError
        ? error
        : connectFailure(host, error);
    } finally {
      void client.end().catch(() => undefined);
    }
  } finally {
    primary.close();
  }
}

async function placeOf(client: PostgresClient): Promise<Place> {
  const { rows } = await client.query<Place>(PLACE).catch((error: unknown) => {
    throw new RelocationRefusedError(`it is no database of a gateway (${messageOf(error)})`);
  });
  const [place] = rows;
  if (place === undefined) throw new RelocationRefusedError('it is no database of a gateway: it follows no chain');
  return place;
}

/** The reason why `next` cannot replace `now`; undefined when it can. */
function refusalOf(
  next: Place,
  now: StorePlace & Partial<Pick<Place, 'last_seq' | 'next_ids' | 'migrations'>>,
): string | undefined {
  if (next.chain_id !== now.chainId) return `it follows chain ${next.chain_id}, expected ${now.chainId}`;
  if (next.genesis_hash !== now.genesisHash) return `its genesis is ${next.genesis_hash}, expected ${now.genesisHash}`;
  if (now.migrations !== undefined && next.migrations !== now.migrations)
    return 'its tables are of another version of this program: start a gateway of this version on it first';
  if (next.height < now.height)
    return `it stands at block ${next.height}, and the database in use at block ${now.height}: it has stepped back`;
  if (next.height === now.height && next.hash !== now.hash)
    return `its block ${next.height} is ${next.hash}, expected ${now.hash}: it holds another history`;
  if (now.last_seq !== undefined && next.last_seq < now.last_seq)
    return 'it lacks transfers that were accepted in the database in use: it has stepped back';
  if (now.next_ids !== undefined && next.next_ids < now.next_ids)
    return 'it lacks ids of accounts that are handed out already: it has stepped back';
  return undefined;
}

/**
 * @param known the state that memory holds, for the case that the database in use no longer answers. Throws RelocationRefusedError, or
 * StoreUnavailableError.
 */
export async function relocate(
  parts: { primary: Primary; gate: WriteGate },
  url: string,
  known: StorePlace,
): Promise<void> {
  const address = parseAddress(url);
  // First without holding up any caller: most faults show here.
  await onPrimary(address, async (client) => refuseUnless(refusalOf(await placeOf(client), { ...known, height: 0 })));
  const open = await parts.gate.close(RELOCATE_IDLE_MS_MAX, () => parts.primary.cut());
  try {
    const now = await onPrimary(parts.primary.address, placeOf).catch(() => undefined);
    const expected =
      now === undefined
        ? known
        : {
            chainId: now.chain_id,
            genesisHash: now.genesis_hash,
            height: now.height,
            hash: now.hash,
            last_seq: now.last_seq,
            next_ids: now.next_ids,
            migrations: now.migrations,
          };
    await onPrimary(address, async (client) => refuseUnless(refusalOf(await placeOf(client), expected)));
    parts.primary.replace(address);
  } finally {
    open();
  }
}

function refuseUnless(why: string | undefined): void {
  if (why !== undefined) throw new RelocationRefusedError(why);
}
