/**
 * The direction of imports, as rules a machine checks:
 *
 *   http -> gateway -> (ledger, engine port, store);  engine -> ledger;  ledger -> nothing of ours;  all but the ledger and the log -> platform.
 *
 * server/app and server/cli are the composition root and may import everything. Each rule says what it protects, so
 * that whoever breaks one learns why from the message. test/app/lint-rules.test.ts breaks every one of them.
 */

/** Node modules that reach the world outside the process, its clock, or chance. The bare spellings count too. */
const IMPURE_NODE =
  '^(node:)?(child_process|cluster|dgram|diagnostics_channel|dns|fs|http|http2|https|inspector|net|os|perf_hooks|process|readline|repl|timers|tls|tty|v8|vm|worker_threads)(/|$)';

/** Files in which gateway and engine meet the real disk, a database or the network, by name. Everything else goes through a port. */
const ADAPTERS = [
  '^server/(store|engine/(sqlite|statements))/',
  '^server/engine/.+/(disk|sqlite|socket)[^/]*\\.ts$',
  '^server/platform/disk-file\\.ts$',
];

/** What the client's ledger for tests (client/src/testing) runs of the server. Types of the store are all it sees of that. */
const TEST_LEDGER_RULES = [
  '^server/ledger/',
  '^server/gateway/(account-view|admission|amount-text|check|core-api|event-place|event-types|limits|records|refusals|request-cancels|signed-cancel|turns|types)\\.ts$',
  '^server/gateway/accept/(group|judge|places)\\.ts$',
  '^server/gateway/(dispatch/cancel-bytes|follow/(block-effects|projection)|list/(cursor|event-pages|list-events|list-transfers|entry-pages))\\.ts$',
  '^server/http/(bearer|limits|media-type|query|reply-body|request-id)\\.ts$',
  '^server/platform/strict-json\\.ts$',
  '^server/http/(operations/(cancelTransaction|checkTransaction|getAccount|getChain|getTransaction|listAccounts|event-resource|listEntries|listEvents|listTransactions|parts|submitCancel|submitTransaction|submitTransactionBatch)|problem/(describe-faults|problem))\\.ts$',
  '^server/http/events/(event-text|refusals|streams)\\.ts$',
  '^server/store/(event-types|types)\\.ts$',
];

/** Libraries that are I/O themselves. */
const DATABASE_LIBRARIES = '(^|node_modules/)(better-sqlite3|pg|kysely)(/|$)';

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      'no-cycle',
      'Two files that need each other are one concept, or a third one is missing.',
      {},
      { circular: true },
    ),
    forbid('resolvable', 'An import that cannot be resolved, or is in no package.json.', {}, { couldNotResolve: true }),

    forbid(
      'ledger-alone',
      'The ledger is the consensus rule: it imports nothing of ours, so that no other part can change what a block means.',
      { path: '^server/ledger/' },
      { path: '^(server|client|generated|scripts|test)/', pathNot: '^server/ledger/' },
    ),
    forbid(
      'ledger-pure',
      'Of Node the ledger uses hashing and signature checks only (node:crypto): a clock or a socket in it is a fork waiting to happen.',
      { path: '^server/ledger/' },
      { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    ),
    forbid(
      'ledger-libraries',
      'The ledger depends on @scure/base (bech32m) and on no other package: what it runs, every validator runs.',
      { path: '^server/ledger/' },
      { path: 'node_modules/', pathNot: 'node_modules/(@scure/base|@types/node)/' },
    ),
    forbid(
      'platform-alone',
      'What is in the platform knows nothing of money: any other part may use it, and it uses none of them.',
      { path: '^server/platform/' },
      { path: '^(server|client|generated|scripts|test)/', pathNot: '^server/platform/' },
    ),
    forbid(
      'engine-on-ledger',
      'An engine makes blocks by the ledger rules; it knows no gateway, no store and no HTTP.',
      { path: '^server/engine/' },
      { path: '^(server|client|generated|scripts|test)/', pathNot: '^server/(engine|ledger|platform)/' },
    ),
    forbid(
      'engines-apart',
      'The two engines know nothing of each other: what both need lies beside them, and either can be taken away or changed alone.',
      { path: '^server/engine/(embedded|cometbft)/' },
      { path: '^server/engine/(embedded|cometbft)/', pathNot: '^server/engine/$1/' },
    ),
    forbid(
      'shared-below-engines',
      'What both engines share (port, RPC answers, encoding, search, SQLite) stands below them and imports neither.',
      { path: '^server/engine/', pathNot: '^server/engine/(embedded|cometbft)/' },
      { path: '^server/engine/(embedded|cometbft)/' },
    ),
    forbid(
      'store-below-gateway',
      'The store keeps what the gateway tells it to: it may read ledger types, the log, the port files and a cache that knows nothing of what it keeps, and nothing above itself.',
      { path: '^server/store/' },
      {
        path: '^(server|client|generated|scripts|test)/',
        pathNot: '^server/(store/|log/|ledger/|platform/|engine/(ports?|generation-cache)\\.ts$|gateway/types\\.ts$)',
      },
    ),
    forbid(
      'embedded-by-the-driver',
      'The embedded engine has statements of its own and no query builder, which would be loaded by every thread that reads and takes longer to load than all of them.',
      { path: '^server/store/embedded/' },
      {
        path: ['^server/store/(backup|copy|migrations|postgres|queries|webhooks)/', '(^|node_modules/)kysely(/|$)'],
        pathNot: '^server/store/webhooks/(records|rows|tables|types)\\.ts$',
      },
    ),
    forbid(
      'log-keeps-bytes',
      'The log keeps entries in order and knows nothing of what they say: it sees the chain format that its file is of, how SQLite names its errors, and how a PostgreSQL server that takes writes is found.',
      { path: '^server/log/' },
      {
        path: '^(server|client|generated|scripts|test)/',
        pathNot:
          '^server/(log/|platform/|ledger/index\\.ts$|engine/ports\\.ts$|store/errors\\.ts$|store/sqlite/library\\.ts$|store/postgres/(address|failure|library|primary|session)\\.ts$)',
      },
    ),
    forbid(
      'gateway-through-ports',
      'The gateway reaches an engine through its port only, so that either engine can stand behind it; beside it there are containers that know nothing of what they keep.',
      { path: '^server/gateway/' },
      {
        path: '^(server|client|generated|scripts|test)/',
        pathNot: '^server/(gateway/|ledger/|platform/|store/|engine/(ports?|in-flight|generation-cache)\\.ts$)',
      },
    ),
    forbid(
      'http-on-gateway',
      'HTTP translates and decides nothing about money: it sees the gateway, the contract and the environment ports.',
      { path: '^server/http/', pathNot: '^server/http/explorer/src/' },
      {
        path: '^(server|client|generated|scripts|test)/',
        pathNot:
          '^(server/http/|server/gateway/|server/platform/|server/engine/ports\\.ts$|server/node_modules/|generated/)',
      },
    ),
    forbid(
      'validator-by-its-front-door',
      'express-openapi-validator is mounted as its documentation says: another file of it can go with any version (docs/decisions/0135).',
      { path: '^(server|client|scripts|test)/' },
      { path: '(^|/)express-openapi-validator/', pathNot: '/express-openapi-validator/dist/index\\.(d\\.ts|js)$' },
    ),
    forbid(
      'explorer-in-the-browser',
      'The explorer runs in a browser: it is built of its own sources, the client and the types of the contract, and of nothing that a server is made of.',
      { path: '^server/http/explorer/src/' },
      {
        path: '^(server|client|generated|scripts|test)/',
        pathNot: '^(server/http/explorer/src/|client/src/(?!testing/)|generated/openapi\\.ts$)',
      },
    ),
    forbid(
      'explorer-is-built',
      'A server serves the explorer as generated/explorer has it; its sources need a browser.',
      { path: '^server/', pathNot: '^server/http/explorer/src/' },
      { path: '^server/http/explorer/src/' },
    ),
    forbid(
      'composition-root-on-top',
      'Only the command line and the composition root know how the parts are put together.',
      { path: '^server/', pathNot: '^server/(app|cli)/' },
      { path: '^server/(app|cli)/' },
    ),
    forbid(
      'client-alone',
      'The client is published on its own: no server code reaches it; of the repository it sees what is generated from the contract.',
      { path: '^client/', pathNot: '^client/src/testing/' },
      { path: '^(server|scripts|test)/' },
    ),
    forbid(
      'client-testing-on-rules',
      'The exception: a ledger for tests runs the real rules, bundled into it (decision 0053). The ledger, and what gateway and HTTP decide without a database, a socket or Express.',
      { path: '^client/src/testing/' },
      { path: '^(server|scripts|test)/', pathNot: TEST_LEDGER_RULES },
    ),
    forbid(
      'client-without-testing',
      'What applications ship never contains the ledger for tests.',
      { path: '^client/src/', pathNot: '^client/src/testing/' },
      { path: '^client/src/testing/' },
    ),
    forbid(
      'product-without-tests',
      'What ships imports neither tests nor developer commands.',
      { path: '^(server|client)/' },
      { path: '^(test|scripts)/' },
    ),
    forbid(
      'logic-without-io',
      'Clock, disk, network and chance reach gateway and engine through ports; only the adapter files named above touch them.',
      // node:net has the arithmetic of addresses too, and webhooks/target.ts takes nothing else of it.
      { path: '^server/(gateway|engine)/', pathNot: [...ADAPTERS, '^server/gateway/webhooks/target\\.ts$'] },
      { dependencyTypes: ['core'], path: IMPURE_NODE },
    ),
    forbid(
      'logic-without-database',
      'Only the store and the disk adapters of an engine speak to a database.',
      { path: '^server/(ledger|gateway|engine|http)/', pathNot: ADAPTERS },
      { path: DATABASE_LIBRARIES },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Programs beside what a generator writes, and the command of a package that is built first, are checked there (test/clients, test/conformance).
    exclude: {
      path: '(^|/)(node_modules/\\.cache|coverage|data)/|^(client|server)/dist/|^test/conformance/(bin|dist)/|^test/clients/[^/]+/(main\\.ts|kubb\\.config\\.mjs)$|^test/clients/typescript/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
};
