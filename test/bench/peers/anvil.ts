/**
 * Foundry's anvil, a development node of Ethereum in Rust: eth_sendRawTransaction of signed transfers, blocks of one second. It keeps all in
 * memory and answers before a block. Its own accounts pay; the limit on gas in a block is off, so that none waits.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PeerScenario } from './peer.ts';

export const ANVIL = 'anvil';
const MNEMONIC = 'test test test test test test test test test test test junk';
const ACCOUNTS = 10;
const CHAIN_ID = 31_337;
const GAS = 21_000n;
const FEE_WEI_MAX = 100_000_000_000n;
const CONNECTIONS = 32;
const CACHE = path.join(tmpdir(), 'txledger-bench', 'anvil-1.json');

/** The binary of this platform, which the package of the registry ships. */
export function anvilBinary(scratch: string): string {
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  return path.join(scratch, 'node_modules', '@foundry-rs', `anvil-${platform}-${processor}`, 'bin', ANVIL);
}

export const anvilArguments = (port: number): string[] => [
  '--port',
  String(port),
  '--block-time',
  '1',
  '--accounts',
  String(ACCOUNTS),
  '--disable-block-gas-limit',
  '--silent',
];

interface Account {
  address: string;
  signTransaction(transaction: object): Promise<string>;
}

/** Signed by viem, which takes a millisecond and more for each; kept in a scratch file. */
async function signedTransactions(scratch: string, count: number, progress: (done: number) => void): Promise<string[]> {
  const kept = existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as string[]) : [];
  if (kept.length >= count) return kept.slice(0, count);
  const found = createRequire(path.join(scratch, 'package.json')).resolve('viem/accounts');
  const { mnemonicToAccount } = (await import(pathToFileURL(found).href)) as {
    mnemonicToAccount(mnemonic: string, options: { addressIndex: number }): Account;
  };
  const accounts = Array.from({ length: ACCOUNTS }, (_, addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }));
  for (let index = kept.length; index < count; index += 1) {
    const transaction = {
      type: 'eip1559',
      chainId: CHAIN_ID,
      to: accounts[(index + 1) % ACCOUNTS]!.address,
      value: 1n,
      nonce: Math.floor(index / ACCOUNTS),
      gas: GAS,
      maxFeePerGas: FEE_WEI_MAX,
      maxPriorityFeePerGas: 0n,
    };
    kept.push(await accounts[index % ACCOUNTS]!.signTransaction(transaction));
    if (kept.length % 500 === 0) progress(kept.length);
  }
  mkdirSync(path.dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify(kept));
  return kept;
}

export async function anvilScenario(
  scratch: string,
  count: number,
  progress: (done: number) => void,
): Promise<PeerScenario> {
  const bodies = (await signedTransactions(scratch, count, progress)).map((raw) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] }),
  );
  return {
    build: ANVIL,
    scenario: 'eth_sendRawTransaction',
    connections: CONNECTIONS,
    bodies,
    accepts: (answer) => answer.includes('"result":"0x'),
  };
}
