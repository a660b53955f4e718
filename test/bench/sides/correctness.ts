/** After the load: every acknowledged transfer is there, once and committed, and every balance is what the acknowledged transfers make it. */
import { DEV_ACCOUNTS, DEV_BALANCE, devAddress } from '../../ledger/support.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { FUNDING, FUNDS, PAYERS } from '../transfers/payers.ts';
import { DEV_SPENT, type LedgerSession } from './session.ts';

const PAGE = 1000;
const CONNECTIONS = 16;
const OK = 200;

export interface Checked {
  transfersFound: number;
  balancesCompared: number;
}

/** The ids that the server must know, made from the signed transfers, not from its answers. */
function acknowledged({ sent, sets }: LedgerSession): Set<string> {
  const ids = new Set<string>();
  for (const set of ['known', 'fresh'] as const)
    for (let index = 0; index < sent[set]; index += 1) ids.add(sets[set].hash(index));
  return ids;
}

/** Balance by address, from what was sent alone. */
export function expectedBalances({ sent, sets }: Pick<LedgerSession, 'sent' | 'sets'>): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  const add = (address: string, amount: bigint): void =>
    void balances.set(address, (balances.get(address) ?? 0n) + amount);
  for (let index = 0; index < DEV_ACCOUNTS; index += 1) add(devAddress(index), DEV_BALANCE - DEV_SPENT[index]!);
  for (const { address } of [...PAYERS.known, ...PAYERS.fresh]) add(address, FUNDS);
  for (const set of ['known', 'fresh'] as const) {
    for (let index = 0; index < sent[set]; index += 1) {
      const { from, to, amount } = sets[set].transfer(index);
      add(from, -amount);
      add(to, amount);
    }
  }
  return balances;
}

/** Walks all pages of the list. @param onPage is told the cursor that led to each page. */
export async function walkList(
  { server }: LedgerSession,
  onPage: (page: { txHash: string; status: string }[], cursor: string | undefined) => void,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await server.get(`/transactions?limit=${PAGE}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    onPage(page.transactions, cursor);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** @throws when anything acknowledged is missing, twice there, or not committed, or a balance differs. */
export async function checkEverything(session: LedgerSession): Promise<Checked> {
  const { server, build } = session;
  await server.settled();
  const ids = acknowledged(session);
  const transfersFound = ids.size;
  let others = 0;
  await walkList(session, (page) => {
    for (const { txHash, status } of page) {
      if (status !== 'committed') throw new Error(`${build}: ${txHash} is ${status}`);
      if (!ids.delete(txHash)) others += 1;
    }
  });
  if (ids.size > 0) throw new Error(`${build} lost ${ids.size} acknowledged transfers, ${[...ids][0]} for one`);
  if (others !== FUNDING.length)
    throw new Error(`${build} lists ${others - FUNDING.length} transfers that were not sent, or one twice`);

  const balances = expectedBalances(session);
  const paths = [...balances.keys()].map((address) => `/accounts/${address}`);
  const wrong: string[] = [];
  const { refused } = await closedLoop({
    ...session.reads(paths, paths.length, CONNECTIONS),
    accepts: (status, body) => {
      if (status !== OK) return false;
      const { address, balance } = JSON.parse(body.toString()) as { address: string; balance: string };
      if (String(balances.get(address)) !== balance)
        wrong.push(`${address} has ${balance}, expected ${balances.get(address)}`);
      return true;
    },
  });
  if (refused.length > 0 || wrong.length > 0)
    throw new Error(`${build}: ${refused.length} accounts refused; ${wrong.length} wrong balances, ${wrong[0]}`);
  return { transfersFound, balancesCompared: balances.size };
}
