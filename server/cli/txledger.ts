#!/usr/bin/env node
/**
 * The command line. Every command is a file in commands/; this one only puts them together.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addAccessCommands } from './commands/access.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addSendCommand } from './commands/send.ts';
import { addServerCommands } from './commands/server.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

const program = new Command('txledger')
  .description('Transaction Ledger: signed transfers in, real CometBFT blocks out')
  .version(version)
  .showHelpAfterError('(--help shows what there is)');

addServerCommands(program);
addSendCommand(program);
addAccessCommands(program);
addKeyCommands(program);

await program.parseAsync();
