/** Every command that is not a server, in the order in which --help lists them. @module */
import type { Command } from 'commander';
import { addAddressCommands } from './address.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addChainCommands } from './chain.ts';
import { addConfigCommand } from './config.ts';
import { addExplainCommand } from './explain.ts';
import { addGenesisCommands } from './genesis.ts';
import { addGovernanceCommands } from './governance.ts';
import { addKeyCommands } from './keys.ts';
import { addReceiptCommand } from './receipt.ts';
import { addSendCommand } from './send.ts';
import { addStatementCommand } from './statement.ts';
import { addTokenCommands } from './token.ts';
import { addTransactionCommands } from './transactions.ts';
import { addWebhookCommands } from './webhook.ts';

export function addCommands(program: Command): void {
  addSendCommand(program);
  addTransactionCommands(program);
  addStatementCommand(program);
  addReceiptCommand(program);
  addChainCommands(program);
  addExplainCommand(program);
  addTokenCommands(program);
  addAddressCommands(program);
  addWebhookCommands(program);
  addAuditCommands(program);
  addBackupCommands(program);
  addConfigCommand(program);
  addGovernanceCommands(program);
  addKeyCommands(program);
  addGenesisCommands(program);
}
