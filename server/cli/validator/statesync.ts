/** `txledger validator statesync`: prints the settings with which a new node begins at a snapshot instead of block 1. @module */
import { readFileSync } from 'node:fs';
import { writeSecretFile } from '../../app/secret-file.ts';
import { CommandError } from '../failure.ts';
import { print } from '../output.ts';
import { assertStopped, chainIdOf, giveToOwner, homeOf, inHome } from './home.ts';
import { nodeAddress } from './node.ts';
import { setToml, type TomlSettings } from '../../engine/cometbft/home/toml.ts';
import { trustedBlock, type TrustedBlock } from './trusted-block.ts';

/** A single node could name any block; CometBFT requires two as well. */
const NODES_MIN = 2;

export interface StatesyncOptions {
  readonly rpc: readonly string[];
  readonly height?: number;
  readonly home?: string;
}

const SECTION = 'statesync';

export function statesyncSettings({ height, hash }: TrustedBlock, urls: readonly string[]): TomlSettings {
  return { [SECTION]: { enable: true, rpc_servers: urls.join(','), trust_height: height, trust_hash: hash } };
}

/** Returns a config.toml without state sync; undefined if it has none. Every other setting, also of that section, stays unchanged. */
export function withoutStatesync(text: string): string | undefined {
  let section = '';
  const changed = text
    .split('\n')
    .map((line) => {
      section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? section;
      return section === SECTION ? line.replace(/^(\s*enable\s*=\s*)true\b/, '$1false') : line;
    })
    .join('\n');
  return changed === text ? undefined : changed;
}

export function writeSettings(home: string, settings: TomlSettings): void {
  const file = inHome(home, 'config');
  let text: string;
  try {
    text = setToml(readFileSync(file, 'utf8'), settings);
  } catch (error) {
    throw new CommandError(
      `${file} is not changed: ${(error as Error).message}. cometbft init of v0.38.26 writes one that has all of them.`,
    );
  }
  writeSecretFile(file, text);
  giveToOwner(home);
}

/** Returns the named nodes without repetitions. */
export function nodesNamed(rpc: readonly string[], least: number): readonly string[] {
  const urls = [...new Set(rpc.map((url) => nodeAddress(url).url))];
  if (urls.length < least)
    throw new CommandError(
      `Name ${least} nodes of different operators at least, with commas between them: one alone could show any chain.`,
    );
  return urls;
}

export async function statesync({ rpc, height, home: given }: StatesyncOptions): Promise<void> {
  const urls = nodesNamed(rpc, NODES_MIN);
  const home = given === undefined ? undefined : homeOf(given);
  if (home !== undefined) assertStopped(home);
  const expected = {
    ...(height === undefined ? {} : { height }),
    ...(home === undefined ? {} : { chainId: chainIdOf(inHome(home, 'genesis')) }),
  };
  const block = await trustedBlock(urls.map(nodeAddress), expected);
  const settings = statesyncSettings(block, urls);
  if (home !== undefined) writeSettings(home, settings);
  const lines = [
    `[${SECTION}]`,
    ...Object.entries(settings[SECTION] ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ];
  print({ ...block, settings: settings[SECTION], ...(home === undefined ? {} : { home }) }, [
    `# Block ${block.height} of ${block.chainId}, of ${block.time}: ${urls.length} nodes show it, with the signatures of more than two thirds of its validators. Compare its hash with what an operator you trust says.`,
    ...lines,
    ...(home === undefined
      ? []
      : [
          `# Written to ${inHome(home, 'config')}. The application beside the node needs TXLEDGER_CHAIN_ID=${block.chainId}, or it takes no snapshot in.`,
        ]),
  ]);
}
