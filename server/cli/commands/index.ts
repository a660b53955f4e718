/**
 * Every command by name, in the order in which --help lists them: its texts for help and completion, and the file with its implementation.
 * Only the file of the running command is imported: importing all files would take most of the time of a command.
 *
 * @module
 */
import type { Command } from 'commander';

export interface CommandFile {
  /** Heading in the help. */
  readonly group: string;
  /** Names with the same description as in the command itself. */
  readonly commands: Readonly<Record<string, string>>;
  readonly load: () => Promise<(program: Command) => void>;
  /** True if its commands need all others: then each file is loaded. */
  readonly looksAtAll?: boolean;
}

const SERVERS = 'Servers:';
const PAYMENTS = 'Payments:';
const CHAIN = 'The chain:';
const ACCESS = 'Access:';
const BACKUP = 'Backup:';
const NETWORK = 'A network of nodes:';
const GOVERNANCE = 'Keys, genesis and governance:';
const TOOLS = 'Tools:';

export const COMMAND_FILES: readonly CommandFile[] = [
  {
    group: SERVERS,
    commands: {
      start: 'run a development chain on loopback; makes everything it needs (npm start)',
      serve: 'run a chain of your own, or a gateway in front of its nodes; needs its files and a token (npm run serve)',
    },
    load: async () => (await import('./server.ts')).addServerCommands,
  },
  {
    group: SERVERS,
    commands: { app: 'run the ABCI application beside a CometBFT v0.38 node; reads ABCI_LISTEN and DATA_DIR' },
    load: async () => (await import('./app.ts')).addAppCommand,
  },
  {
    group: SERVERS,
    commands: { gateway: 'a gateway in front of CometBFT nodes' },
    load: async () => (await import('./gateway.ts')).addGatewayCommand,
  },
  {
    group: PAYMENTS,
    commands: { send: 'sign a transfer and send it, or those of a file; hashes are known before anything is sent' },
    load: async () => (await import('./send.ts')).addSendCommand,
  },
  {
    group: PAYMENTS,
    commands: {
      list: 'list transfers, newest first',
      get: 'one transfer with its history',
      cancel: 'void the nonce of a pending transfer on the chain, so that it can never execute',
    },
    load: async () => (await import('./transactions.ts')).addTransactionCommands,
  },
  {
    group: PAYMENTS,
    commands: { statement: 'what moved the money of an account, with the balance after each entry' },
    load: async () => (await import('./statement.ts')).addStatementCommand,
  },
  {
    group: PAYMENTS,
    commands: { receipt: 'what proves to anyone what the chain decided about a transfer; keep it, or verify it' },
    load: async () => (await import('./receipt.ts')).addReceiptCommand,
  },
  {
    group: CHAIN,
    commands: { watch: 'follow what blocks decide, a line each as it happens, or one transfer until it settles' },
    load: async () => (await import('./watch.ts')).addWatchCommand,
  },
  {
    group: CHAIN,
    commands: {
      chain: 'id, height and genesis of the chain; needs no token',
      account: 'balance and nonces of an account',
      dev: 'the development chain',
    },
    load: async () => (await import('./chain.ts')).addChainCommands,
  },
  {
    group: ACCESS,
    commands: { token: 'who may call the service' },
    load: async () => (await import('./token.ts')).addTokenCommands,
  },
  {
    group: ACCESS,
    commands: { address: 'who may act for an address' },
    load: async () => (await import('./address.ts')).addAddressCommands,
  },
  {
    group: ACCESS,
    commands: {
      webhook: 'where the service sends events to; needs a token with the scopes webhooks:manage and transactions:read',
    },
    load: async () => (await import('./webhook.ts')).addWebhookCommands,
  },
  {
    group: ACCESS,
    commands: { audit: 'who did what: the audit trail, which the database lets no one change' },
    load: async () => (await import('./audit.ts')).addAuditCommands,
  },
  {
    group: BACKUP,
    commands: {
      backup:
        'copy everything that cannot be made again into a folder, while the service runs; reads DATA_DIR, or DATABASE_URL',
      verify:
        'recompute a backup or a data folder: hashes, signatures, every block from genesis, balances, and rows against blocks',
      restore: 'make a data folder of a backup, or fill an empty database (DATABASE_URL); never over what is there',
    },
    load: async () => (await import('./backup.ts')).addBackupCommands,
  },
  {
    group: BACKUP,
    commands: {
      graduate:
        'carry the chain of a stopped service on in a CometBFT v0.38 node: makes its home, and seals the data folder',
    },
    load: async () => (await import('./graduate.ts')).addGraduateCommand,
  },
  {
    group: BACKUP,
    commands: { store: 'the database of a service: transfers, tokens, owners, bindings and the audit trail' },
    load: async () => (await import('./store.ts')).addStoreCommands,
  },
  {
    group: BACKUP,
    commands: {
      prune:
        'let the node beside an application drop old blocks: those that every gateway is past and an archive node has',
    },
    load: async () => (await import('./prune.ts')).addPruneCommand,
  },
  {
    group: GOVERNANCE,
    commands: { governance: 'change the roles, validators and rules of a chain, with the signatures of its governors' },
    load: async () => (await import('./governance.ts')).addGovernanceCommands,
  },
  {
    group: NETWORK,
    commands: { validator: 'power, keys, backup and recovery of the validators of a network' },
    load: async () => (await import('./validator.ts')).addValidatorCommands,
  },
  {
    group: NETWORK,
    commands: {
      'cometbft-config':
        'write what a node of this ledger needs into the config.toml that cometbft init made; run again with other options, it writes those',
    },
    load: async () => (await import('./cometbft-config.ts')).addCometbftConfigCommand,
  },
  {
    group: GOVERNANCE,
    commands: {
      key: 'the key of an account, with which it pays',
      'operator-key': 'the key of a gateway, with which it cancels: a canceller of the chain',
      'governor-key': 'the key of a governor, who keeps it offline',
      'validator-key': 'the key that signs blocks',
    },
    load: async () => (await import('./keys.ts')).addKeyCommands,
  },
  {
    group: GOVERNANCE,
    commands: { genesis: 'the first state of a chain' },
    load: async () => (await import('./genesis.ts')).addGenesisCommands,
  },
  {
    group: TOOLS,
    commands: {
      explain:
        'print sign bytes, raw transaction and hash of a POST /transactions body, and say why its signature fails',
    },
    load: async () => (await import('./explain.ts')).addExplainCommand,
  },
  {
    group: TOOLS,
    commands: { config: 'the configuration of a server' },
    load: async () => (await import('./config.ts')).addConfigCommand,
  },
  {
    group: TOOLS,
    commands: {
      completion: 'print what completes commands, options and their values: source it where the shell starts',
    },
    load: async () => (await import('./completion.ts')).addCompletionCommand,
    looksAtAll: true,
  },
];
