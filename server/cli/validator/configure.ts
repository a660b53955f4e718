/** `txledger cometbft-config`: writes the settings for a node of this ledger into the config.toml that `cometbft init` made. @module */
import { print } from '../output.ts';
import { assertStopped, homeOf, inHome } from './home.ts';
import { nodeConfig, type NodeWishes } from './node-settings.ts';
import { writeSettings } from './statesync.ts';

export interface ConfigureOptions extends NodeWishes {
  readonly home: string;
}

export function configure({ home: given, ...wishes }: ConfigureOptions): void {
  const home = homeOf(given);
  assertStopped(home);
  const settings = nodeConfig(wishes);
  writeSettings(home, settings);
  const lines = Object.entries(settings).flatMap(([section, values]) => [
    ...(section === '' ? [] : [`[${section}]`]),
    ...Object.entries(values).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
  ]);
  print({ file: inHome(home, 'config'), settings }, [`# ${inHome(home, 'config')}`, ...lines]);
}
