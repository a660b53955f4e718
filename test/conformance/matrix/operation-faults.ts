/** Faults by operation, found by its place in the contract: at least one for each that faults.ts does not name by its path. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';
import { Contract } from '../src/contract.ts';
import type { MessageFault } from './message-proxy.ts';
import type { Answered, Asked } from './proxy.ts';
import type { Row } from './row.ts';

const contract = new Contract(JSON.parse(readFileSync(path.join(ROOT, 'generated/openapi.json'), 'utf8')));

type Change = (answered: Answered, asked: Asked) => void;

/** A fault of the answers of one operation with this status. */
function op(operationId: string, name: string, expected: string, change: Change, status = 200): Row {
  contract.operation(operationId);
  return {
    name,
    expected,
    operation: operationId,
    plant: () => (asked, answered) => {
      if (answered.status === status && contract.operationsOf([`${asked.method} ${asked.path}`]).has(operationId))
        change(answered, asked);
    },
  };
}

/** Only the first time that the condition is met. */
function once(row: Row, isIt: (asked: Asked, answered: Answered) => boolean): Row {
  return {
    ...row,
    plant: () => {
      const fault = row.plant();
      let done = false;
      return (asked, answered) => {
        if (done || !isIt(asked, answered)) return;
        done = true;
        fault(asked, answered);
      };
    },
  };
}

const body =
  (change: (body: any, asked: Asked) => void): Change =>
  (answered, asked) => {
    if (answered.body !== undefined && answered.body !== '') change(answered.body, asked);
  };
const as =
  (status: number, text?: object): Change =>
  (answered) => {
    answered.status = status;
    if (text === undefined) return;
    answered.headers['content-type'] = 'application/json';
    answered.body = text;
  };
const header =
  (name: string, value?: string): Change =>
  ({ headers }) => {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  };
const has =
  (text: string) =>
  (asked: Asked): boolean =>
    asked.path.includes(text);
const NO_HASH = '0'.repeat(64);

const receipts: readonly Row[] = [
  op(
    'getReceipt',
    'a receipt is signed by no validator',
    'receipt.committed',
    body(({ block }) => (block.commit.signatures[0].signature = Buffer.alloc(64).toString('base64'))),
  ),
  op(
    'getReceipt',
    'a receipt has another transaction',
    'receipt.committed',
    body((receipt) => {
      const raw = Buffer.from(receipt.transaction, 'base64').toString();
      receipt.transaction = Buffer.from(raw.replace('"amount":"7"', '"amount":"8"')).toString('base64');
    }),
  ),
  op(
    'getReceipt',
    'a receipt has another result',
    'receipt.committed',
    body(({ result }) => (result.gas_used = '1')),
  ),
  op(
    'getReceipt',
    'a receipt is of another block',
    'receipt.committed',
    body((receipt) => (receipt.height += 1)),
  ),
  op(
    'getReceipt',
    'a receipt has a header with another time',
    'receipt.committed',
    body(({ block }) => (block.header.time = '2026-01-01T00:00:00Z')),
  ),
  op(
    'getReceipt',
    'the receipt of a cancel names the transfer',
    'receipt.cancelled',
    body((receipt, asked) => (receipt.txHash = asked.path.split('/')[2])),
  ),
  op('getReceipt', 'a receipt that is not ready does not exist', 'receipt.not-ready', as(404), 409),
];

const statements: readonly Row[] = [
  op(
    'listEntries',
    'a balance of a statement is off by one',
    'statement.adds-up',
    body(({ entries }) => entries.forEach((each: any) => (each.balanceAfter = String(BigInt(each.balanceAfter) + 1n)))),
  ),
  op(
    'listEntries',
    'a transfer to oneself is one entry',
    'statement.adds-up',
    body((page) => {
      page.entries = page.entries.filter(
        ({ direction, counterparty }: any, at: number, all: any[]) =>
          direction === 'out' ||
          !all.some((each, other) => other !== at && each.counterparty === counterparty && each.direction === 'out'),
      );
    }),
  ),
  op(
    'listEntries',
    'the last entry of a statement is not there yet',
    'statement.adds-up',
    body(({ entries }) => entries.pop()),
  ),
  op(
    'listEntries',
    'block times of a statement run backwards',
    'statement.adds-up',
    body(({ entries }) =>
      entries.forEach((each: any, at: number) => (each.blockTime = new Date(1e12 - at * 1000).toISOString())),
    ),
  ),
  {
    ...op('getAccount', 'an account at a height is the one of now', 'statement.adds-up', () => undefined),
    plant: () => (asked, answered) => {
      if (/^\/accounts\/[^/]+\?height=/.test(asked.path) && answered.body?.balance !== undefined)
        answered.body.balance = '960';
    },
  },
  ...[
    [
      'a page of a statement begins with the last entry of the one before',
      (page: any) => page.entries.unshift(page.entries[0]),
    ],
    ['a page of a statement leaves out its first entry', (page: any) => page.entries.shift()],
  ].map(([name, change]) =>
    once(op('listEntries', name as string, 'statement.pages', body(change as (page: any) => void)), has('cursor=')),
  ),
  op('listEntries', 'CSV has no header row', 'statement.csv', (answered) => {
    if (answered.body === undefined) answered.text = answered.text.slice(answered.text.indexOf('\r\n') + 2);
  }),
  op('listEntries', 'CSV has a formula', 'statement.csv', (answered) => {
    if (answered.body === undefined) answered.text = answered.text.replace("'=", '=');
  }),
  op('listEntries', 'CSV ends early', 'statement.csv', (answered) => {
    if (answered.body === undefined)
      answered.text = answered.text.slice(0, answered.text.lastIndexOf('\r\n', answered.text.length - 3) + 2);
  }),
  op('listEntries', 'CSV takes a cursor', 'statement.csv', as(200, { entries: [], height: 1 }), 400),
];

const isStream = ({ headers }: Answered): boolean => headers['content-type']?.includes('event-stream') === true;
const onStream = (name: string, change: (text: string) => string): Row =>
  op('listEvents', name, 'event.stream', (answered) => {
    if (isStream(answered)) answered.text = change(answered.text);
  });
const onPage = (name: string, change: (page: any) => void): Row =>
  op('listEvents', name, 'event.pages', (answered) => {
    if (answered.body?.events?.length > 0) change(answered.body);
  });

const events: readonly Row[] = [
  once(
    onPage('an event is missing in a page', (page) => page.events.pop()),
    (asked, { body: page }) => has('limit=2')(asked) && page?.events?.length > 1,
  ),
  onPage('an event is told twice', (page) => page.events.push(page.events.at(-1))),
  onPage('events are in another order', (page) => page.events.reverse()),
  onPage('an event has another id than its place', (page) => (page.events[0].id = `${page.events[0].data.height}-77`)),
  onPage('a cancelled transfer is told as committed', ({ events: all }) =>
    all.forEach((each: any) => (each.type = 'transaction.committed')),
  ),
  op('listEvents', 'order=desc is taken with after', 'event.pages', as(200, { events: [], height: 1 }), 400),
  onStream('a stream repeats events', (text) => text.replace(/(id: \d+-\d+\nevent: [^\n]+\ndata: [^\n]+\n\n)/, '$1$1')),
  onStream('a stream loses events', (text) => text.replace(/id: \d+-\d+\nevent: [^\n]+\ndata: [^\n]+\n\n/, '')),
  onStream('a stream names events otherwise', (text) => text.replace(/^event: .*$/gm, 'event: message')),
  onStream('a stream has no height', (text) => text.replace(/^: height .*$/gm, ': hello')),
  onStream('a stream has other amounts', (text) => text.replaceAll('"amount":"1"', '"amount":"2"')),
];

const webhooks: readonly Row[] = [
  op('createWebhook', 'a new webhook is answered 200', 'webhook.life', as(200), 201),
  op(
    'createWebhook',
    'a second webhook of a URL is made',
    'webhook.life',
    (answered) => as(201, {})(answered, {} as Asked),
    409,
  ),
  op(
    'createWebhook',
    'a new webhook comes with another secret',
    'webhook.delivered',
    body((webhook) => (webhook.secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`)),
    201,
  ),
  op(
    'getWebhook',
    'a webhook shows its secret',
    'webhook.life',
    body((webhook) => (webhook.secret = `whsec_${NO_HASH}`)),
  ),
  op(
    'getWebhook',
    'a webhook is enabled after a 410',
    'webhook.again',
    body((webhook) => (webhook.status = 'enabled')),
  ),
  op(
    'listWebhooks',
    'the list of webhooks is empty',
    'webhook.life',
    body((list) => (list.webhooks = [])),
  ),
  op(
    'updateWebhook',
    'a change removes what it does not name',
    'webhook.life',
    body((webhook) => delete webhook.description),
  ),
  op(
    'updateWebhook',
    'a webhook cannot be enabled again',
    'webhook.resumed',
    body((webhook) => (webhook.status = 'disabled')),
  ),
  op('deleteWebhook', 'a webhook that is gone can be deleted', 'webhook.life', as(204), 404),
  op('testWebhook', 'a disabled webhook is tested', 'webhook.life', as(202), 409),
  op(
    'testWebhook',
    'a test has another id than was told',
    'webhook.again',
    body((queued) => (queued.messageId = 'test_0')),
    202,
  ),
  op(
    'rotateWebhookSecret',
    'a rotation answers the secret of before',
    'webhook.rotations',
    body((webhook) => (webhook.secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`)),
  ),
  op('rotateWebhookSecret', 'a fifth secret is not refused', 'webhook.rotations', as(200), 409),
  op('replayWebhook', 'a replay is answered 200', 'webhook.again', as(200), 202),
  op(
    'listWebhookDeliveries',
    'the log of a webhook is oldest first',
    'webhook.delivered',
    body((page) => page.deliveries.reverse()),
  ),
  op(
    'listWebhookDeliveries',
    'the log calls what failed delivered',
    'webhook.delivered',
    body((page) => page.deliveries.forEach((each: any) => (each.outcome = 'delivered'))),
  ),
  op(
    'listWebhookDeliveries',
    'a replay is logged as an event',
    'webhook.again',
    body((page) => page.deliveries.forEach((each: any) => (each.kind = 'event'))),
  ),
];

/** What is done to messages on their way to the receiver. */
function messages(name: string, expected: string, plantMessages: () => MessageFault): Row {
  return { name, expected, plant: () => () => undefined, plantMessages };
}
const seen = (): ((id: string) => number) => {
  const ids = new Map<string, number>();
  return (id) => {
    ids.set(id, (ids.get(id) ?? 0) + 1);
    return ids.get(id) ?? 0;
  };
};

const deliveries: readonly Row[] = [
  messages(
    'a message has another body',
    'webhook.delivered',
    () => (message) => (message.text = message.text.replace('"amount":"1"', '"amount":"2"')),
  ),
  messages(
    'a message is signed by no one',
    'webhook.delivered',
    () => (message) => (message.headers['webhook-signature'] = `v1,${Buffer.alloc(32).toString('base64')}`),
  ),
  messages(
    'a message has a timestamp of yesterday',
    'webhook.delivered',
    () => (message) => (message.headers['webhook-timestamp'] = String(Math.floor(Date.now() / 1000) - 86_400)),
  ),
  messages('each attempt has an id of its own', 'webhook.delivered', () => {
    const count = seen();
    return (message) => {
      const id = message.headers['webhook-id'] ?? '';
      const attempt = count(id);
      if (attempt > 1) message.headers['webhook-id'] = `${id}-${attempt}`;
    };
  }),
  messages(
    'what was not taken does not come again',
    'webhook.delivered',
    () => (message) => (message.isAlwaysTaken = true),
  ),
  messages('a message is lost', 'webhook.delivered', () => {
    const ids = new Set<string>();
    return (message) => {
      ids.add(message.headers['webhook-id'] ?? '');
      message.isLost = ids.size === 2;
    };
  }),
  messages(
    'a test arrives twice',
    'webhook.again',
    () => (message) => (message.isTwice = message.text.includes('webhook.test')),
  ),
  messages('the secret of before does not sign', 'webhook.again', () => (message) => {
    message.headers['webhook-signature'] = message.headers['webhook-signature']?.split(' ')[0] ?? '';
  }),
  messages(
    'no notice of a disabled webhook',
    'webhook.resumed',
    () => (message) => (message.isLost = message.text.includes('webhook.disabled')),
  ),
];

/** Without a fault, the way through the proxy is no reason that one is found. */
const untouched: readonly Row[] = [
  messages('messages through the proxy as they are', 'passes:webhook', () => () => undefined),
];

const access: readonly Row[] = [
  op('createToken', 'a new token is answered 200', 'access.tokens', as(200), 201),
  op('createToken', 'a token gets scopes that its maker lacks', 'access.no-more-than-own', as(201, {}), 403),
  op(
    'getToken',
    'a token is of another owner',
    'access.tokens',
    body((token) => (token.owner = 'another')),
  ),
  {
    ...op('getToken', 'the text of a token is shown again', 'access.tokens', () => undefined),
    plant: () => {
      let text = '';
      return (asked, answered) => {
        if (answered.status === 201 && typeof answered.body?.token === 'string') text = answered.body.token;
        if (asked.method === 'GET' && /^\/access\/tokens\/[^/]+$/.test(asked.path)) answered.body.token = text;
      };
    },
  },
  op(
    'listTokens',
    'the list of tokens is not by owner',
    'access.tokens',
    body((page) => page.tokens.push({ ...page.tokens[0], tokenId: 'f'.repeat(16) })),
  ),
  op(
    'updateToken',
    'a changed token keeps its limits',
    'access.tokens',
    body((token) => delete token.limits),
  ),
  op(
    'rotateToken',
    'a rotation names another token',
    'access.tokens',
    body((rotation) => (rotation.replaced.tokenId = rotation.made.tokenId)),
    201,
  ),
  op('rotateToken', 'a token is replaced by one who has fewer scopes', 'access.no-more-than-own', as(201, {}), 403),
  op('revokeToken', 'a revoked token is revoked again', 'access.tokens', as(204), 404),
  op('listTransactions', 'a revoked token is still taken', 'access.tokens', as(200, { transactions: [] }), 401),
  op(
    'bindAddress',
    'a binding names another owner',
    'access.bindings',
    body((bound) => (bound.owner = 'another')),
  ),
  op('bindAddress', 'an address is taken from its owner', 'access.bindings', as(200), 403),
  op(
    'submitTransaction',
    'another owner submits for a bound address',
    'access.bindings',
    as(202, { status: 'pending' }),
    403,
  ),
  op(
    'listBoundAddresses',
    'the list of bound addresses is empty',
    'access.bindings',
    body((page) => (page.addresses = [])),
  ),
  op('unbindAddress', 'an address that is bound to no one is unbound', 'access.bindings', as(204), 404),
];

const documents: readonly Row[] = [
  {
    ...op('getChain', 'HEAD has another media type', 'documents.head', () => undefined),
    plant: () => (asked, answered) => {
      if (asked.method === 'HEAD') answered.headers['content-type'] = 'text/html';
    },
  },
  {
    ...op('getLiveness', 'HEAD is not answered', 'documents.head', () => undefined),
    plant: () => (asked, answered) => {
      if (asked.method === 'HEAD') answered.status = 405;
    },
  },
  op('getOpenapiJson', 'the contract has no ETag', 'documents.etag', header('etag')),
  op('getOpenapiYaml', 'what is known is sent again', 'documents.etag', as(200), 304),
  op(
    'getOpenapiClientJson',
    'each answer has another ETag',
    'documents.etag',
    (answered) => (answered.headers['etag'] = `"${Math.random()}"`),
  ),
  op(
    'getOpenapiClientJson',
    'the renditions are of two versions',
    'documents.renditions',
    body((document) => (document.info.version = '0.0.1')),
  ),
  op(
    'getOpenapiClientJson',
    'an operation is missing for generators',
    'documents.renditions',
    body((document) => delete document.paths['/events']),
  ),
  op(
    'getApiCatalog',
    'the catalogue leads nowhere',
    'documents.catalogue',
    body(({ linkset }) =>
      linkset.forEach((links: any) => links['service-doc']?.forEach((link: any) => (link.href = '../nowhere'))),
    ),
  ),
  op(
    'getMetrics',
    'counters run backwards',
    'documents.metrics',
    (() => {
      let asked = 0;
      return (answered: Answered) => {
        asked += 1;
        const factor = asked;
        answered.text = answered.text.replaceAll(
          /^(txledger_\w+(?:\{[^}]*\})?) (\d+)$/gm,
          (_, name: string, value: string) => `${name} ${Math.floor(Number(value) / factor)}`,
        );
      };
    })(),
  ),
  op(
    'getMetrics',
    'OpenMetrics has no end',
    'documents.metrics',
    (answered) => (answered.text = answered.text.replace('# EOF\n', '')),
  ),
  op(
    'getReadiness',
    'readiness tells a check twice',
    'documents.readiness',
    body((readiness) => readiness.checks.push(readiness.checks[0])),
  ),
  op(
    'getLiveness',
    'liveness is fine',
    'documents.readiness',
    body((liveness) => (liveness.status = 'fine')),
  ),
];

const rpcOf = (name: string, method: string, expected: string, change: (result: any) => void): readonly Row[] =>
  ['get', 'post'].map((verb) =>
    op(`${verb}Rpc${method}`, `${verb} ${name}`, expected, (answered) => {
      if (answered.body?.result !== undefined) change(answered.body.result);
    }),
  );
const [oneBlock, forms] = ['rpc.one-block', 'rpc.broadcast-forms'];

/** By POST, as by GET in faults.ts. */
const POSTED: readonly (readonly [method: string, name: string])[] = [
  ...[
    'abci_info',
    'abci_query',
    'block_results',
    'block_search',
    'blockchain',
    'check_tx',
    'commit',
    'consensus_params',
  ],
  ...[
    'consensus_state',
    'dump_consensus_state',
    'genesis',
    'genesis_chunked',
    'header',
    'net_info',
    'num_unconfirmed_txs',
  ],
  ...['status', 'tx_search', 'unconfirmed_txs', 'validators', 'block'],
].map((method) => [method, method.replaceAll(/(^|_)([a-z])/g, (_, _line, letter: string) => letter.toUpperCase())]);

const rpc: readonly Row[] = [
  ...POSTED.map(([method, name]) =>
    op(
      `postRpc${name}`,
      `${method} by POST without its envelope`,
      `rpc.${method}`,
      (answered) => (answered.body = answered.body.result),
    ),
  ),
  ...rpcOf('a block by its hash is another', 'BlockByHash', oneBlock, (result) => (result.block_id.hash = NO_HASH)),
  ...rpcOf(
    'a header by its hash is another',
    'HeaderByHash',
    oneBlock,
    (result) => (result.header.data_hash = NO_HASH),
  ),
  ...rpcOf('a transaction is in another place', 'Tx', oneBlock, (result) => (result.index += 1)),
  op(
    'getRpcCommit',
    'a commit is of another block',
    oneBlock,
    body(({ result }) => (result.signed_header.commit.block_id.hash = NO_HASH)),
  ),
  op(
    'getRpcBlockchain',
    'the list of blocks counts otherwise',
    oneBlock,
    body(({ result }) => result.block_metas.forEach((meta: any) => (meta.num_txs = '77'))),
  ),
  op(
    'postRpcBlockSearch',
    'the search of blocks finds another',
    oneBlock,
    body(({ result }) => result.blocks.forEach((each: any) => (each.block_id.hash = NO_HASH))),
  ),
  op(
    'getRpcBlockResults',
    'a block has another application hash',
    oneBlock,
    body(({ result }) => (result.app_hash = '')),
  ),
  op(
    'getRpcTxSearch',
    'the search of transactions finds another',
    oneBlock,
    body(({ result }) => result.txs.forEach((each: any) => (each.height = '1'))),
  ),
  op(
    'getRpcValidators',
    'the validators are others',
    oneBlock,
    body(({ result }) => result.validators.forEach((each: any) => (each.address = '0'.repeat(40)))),
  ),
  op(
    'getRpcBlock',
    'blocks are not linked',
    oneBlock,
    body(({ result }) => (result.block.header.last_block_id.hash = NO_HASH)),
  ),
  ...rpcOf(
    'an asynchronous broadcast has another hash',
    'BroadcastTxAsync',
    forms,
    (result) => (result.hash = NO_HASH),
  ),
  ...rpcOf('a broadcast has a code', 'BroadcastTxSync', forms, (result) => (result.code = 1)),
  ...rpcOf('a broadcast that waits has another hash', 'BroadcastTxCommit', forms, (result) => (result.hash = NO_HASH)),
  ...['get', 'post'].map((verb) =>
    op(
      `${verb}RpcBroadcastEvidence`,
      `${verb} evidence that is none is taken`,
      forms,
      as(200, { jsonrpc: '2.0', id: -1, result: { hash: NO_HASH } }),
      400,
    ),
  ),
  op(
    'getRpcHealth',
    'health by GET tells something',
    'rpc.health',
    body(({ result }) => (result.ok = true)),
  ),
  op(
    'postRpcHealth',
    'health by POST tells something',
    'rpc.health',
    body(({ result }) => (result.ok = true)),
  ),
];

const promises: readonly Row[] = [
  op(
    'getTransaction',
    'a member that does not apply is null',
    'contract.no-nulls',
    body((tx) => (tx.reason = null)),
  ),
  op(
    'submitTransaction',
    'an amount of 0 is taken',
    'transfer.amount-bounds',
    (answered, asked) => asked.body?.amount === '0' && as(202, { status: 'pending' })(answered, asked),
    400,
  ),
  op(
    'submitTransaction',
    'an amount of 2^128 is taken',
    'transfer.amount-bounds',
    (answered, asked) => asked.body?.amount.length === 39 && as(202, { status: 'pending' })(answered, asked),
    400,
  ),
  op(
    'listTransactions',
    'a cursor that was never made is taken',
    'transfer.amount-bounds',
    as(200, { transactions: [] }),
    400,
  ),
  op(
    'getTransaction',
    'what has expired is committed',
    'transfer.expires',
    body((tx) => tx.status === 'expired' && (tx.status = 'committed')),
  ),
  op(
    'getTransaction',
    'a history is told backwards',
    'transfer.history',
    body((tx) => tx.history?.reverse()),
  ),
  op(
    'getTransaction',
    'a history tells an event twice',
    'transfer.history',
    body((tx) => tx.history?.push(tx.history.at(-1))),
  ),
  {
    ...op('listTransactions', 'a filter by reference takes what begins so', 'list.reference-exact', () => undefined),
    plant: () => {
      let last: any;
      return (asked, answered) => {
        if (!asked.path.startsWith('/transactions?reference=') || answered.status !== 200) return;
        last = answered.body.transactions.at(-1) ?? last;
        if (answered.body.transactions.length === 0) answered.body.transactions = [last];
      };
    },
  },
  op(
    'listEvents',
    'a cancel of an unseen transfer has an amount',
    'event.unseen',
    body(({ events: all }) => all.forEach(({ data }: any) => (data.transaction.amount = '1'))),
  ),
  op(
    'postRpcBlockchain',
    'two blocks have one time',
    'rpc.block-times',
    body(({ result }) => result.block_metas.forEach(({ header: each }: any) => (each.time = '2026-01-01T00:00:00Z'))),
  ),
  op(
    'getRpcTxSearch',
    'a page has as many as were asked for',
    'rpc.page-bounds',
    body(({ result }) => result.txs.push(result.txs[0])),
  ),
  op(
    'getRpcAbciQuery',
    'a query tells an index',
    'rpc.constants',
    body(({ result }) => (result.response.index = '1')),
  ),
  op(
    'getRpcNumUnconfirmedTxs',
    'the size of the mempool lists it',
    'rpc.constants',
    body(({ result }) => (result.txs = [])),
  ),
];

/** With what was last seen and is not there now: `seen` and `put` read and write it, in answers to a path that `isIt` is true of. */
function keeps(
  row: Row,
  isIt: (asked: Asked, answered: Answered) => boolean,
  seen: (answer: any) => unknown,
  put: (answer: any, kept: any) => void,
): Row {
  return {
    ...row,
    plant: () => {
      let kept: unknown;
      return (asked, answered) => {
        const { body: answer } = answered;
        if (answer === undefined || answered.status >= 300) return;
        if (kept !== undefined && isIt(asked, answered)) put(answer, kept);
        else kept = seen(answer) ?? kept;
      };
    },
  };
}
const filled = (list: any): unknown => (list?.length > 0 ? list : undefined);
const later = (time: string): string => new Date(Date.parse(time) + 3_600_000).toISOString();
const isNoCsv = ({ headers }: Asked): boolean => headers.accept !== 'text/csv';

/** What a stranger planted in the server itself and the kit did not find then (docs/decisions/0142), as answers show it. */
const heights: readonly Row[] = [
  op('listTransactions', 'a list names no block', 'headers.ledger-height', header('ledger-height')),
  op('getTransaction', 'a transfer names the first block', 'headers.ledger-height', header('ledger-height', '1')),
  op('getReceipt', 'a receipt names no number', 'headers.ledger-height', header('ledger-height', 'latest')),
  op('listEvents', 'events do not wait for a block', 'headers.ledger-height', (answered, asked) => {
    answered.headers['ledger-height'] = String(Number(asked.headers['ledger-height-min']) - 1);
  }),
  op('getAccount', 'an account far ahead is answered', 'headers.ledger-height', as(200, {}), 409),
  op('listEntries', 'a height that is no number is passed over', 'headers.ledger-height', as(200, {}), 400),
];

const byAStranger: readonly Row[] = [
  op('getReceipt', 'a receipt says nothing of the wait', 'headers.preference', header('preference-applied')),
  op('cancelTransaction', 'a cancel tells the wait that was asked for', 'headers.preference', (answered, asked) => {
    if (asked.headers['prefer'] === 'wait=99') answered.headers['preference-applied'] = 'wait=99';
  }),
  op(
    'getChain',
    'an X-Request-Id of more than 64 characters is replaced',
    'headers.request-id-bounds',
    (answered, asked) => {
      if ((asked.headers['x-request-id']?.length ?? 0) > 64) answered.headers['x-request-id'] = 'mine';
    },
  ),
  op('getChain', 'any X-Request-Id is echoed', 'headers.request-id-bounds', (answered, asked) => {
    answered.headers['x-request-id'] = asked.headers['x-request-id'];
  }),
  keeps(
    op('listTransactions', 'an account beside to is ignored', 'list.filters', () => undefined),
    ({ path: asked }) => asked.includes('account=') && asked.includes('&to='),
    ({ transactions }) => filled(transactions),
    (page, kept) => (page.transactions = kept),
  ),
  op('getTransaction', 'the hash that was executed finds nothing', 'access.pending-max', (answered, asked) => {
    if (answered.body.executedAs === asked.path.split('/')[2]) as(404, { code: 'not_found' })(answered, asked);
  }),
  op('submitTransaction', 'an owner has more pending than its token allows', 'access.pending-max', as(202, {}), 429),
  op(
    'getAccount',
    'an account at a height has the time of now',
    'statement.adds-up',
    body((account, { path: asked }) => asked.includes('height=') && (account.blockTime = new Date().toISOString())),
  ),
  op('listEntries', 'CSV does not mark a mark', 'statement.csv', (answered) => {
    if (answered.body === undefined) answered.text = answered.text.replace("''=", "'=");
  }),
  op('listEntries', 'CSV does not quote a comma', 'statement.csv', (answered) => {
    if (answered.body === undefined) answered.text = answered.text.replace('"a, b"', 'a, b');
  }),
  op(
    'listEntries',
    'a cursor of the other order is taken',
    'statement.pages',
    (answered, asked) =>
      isNoCsv(asked) && asked.path.includes('?&cursor=') && as(200, { entries: [], height: 1 })(answered, asked),
    400,
  ),
  keeps(
    op('listEvents', 'a status beside a type is ignored', 'event.filters', () => undefined),
    has('type=transaction.committed&status=cancelled'),
    ({ events: all }) => filled(all),
    (page, kept) => (page.events = kept),
  ),
  op(
    'listEvents',
    'a cursor under other filters is taken',
    'event.filters',
    (answered, asked) => has('cursor=')(asked) && as(200, { events: [], height: 1 })(answered, asked),
    400,
  ),
  op(
    'listEvents',
    'a type that there is not finds nothing',
    'event.filters',
    (answered, asked) => has('type=')(asked) && as(200, { events: [], height: 1 })(answered, asked),
    400,
  ),
  op('listEvents', 'a stream of an account has only what it pays', 'event.filters', (answered, asked) => {
    const account = /account=(\w+)/.exec(asked.path)?.[1];
    if (isStream(answered) && account !== undefined)
      answered.text = answered.text
        .split('\n\n')
        .filter((text) => !text.includes(`"to":"${account}"`))
        .join('\n\n');
  }),
  op(
    'createWebhook',
    'a URL is kept as it was written',
    'webhook.changes',
    body((webhook, asked) => (webhook.url = asked.body.url)),
    201,
  ),
  keeps(
    op('updateWebhook', 'an empty list leaves the accounts', 'webhook.changes', () => undefined),
    (asked) => asked.body?.accounts?.length === 0,
    ({ accounts }) => accounts,
    (webhook, kept) => (webhook.accounts = kept),
  ),
  op(
    'listWebhookDeliveries',
    'a replay is sent in another order',
    'webhook.replayed',
    body((page) => {
      const replays = page.deliveries.filter(({ kind }: any) => kind === 'replay').reverse();
      page.deliveries = page.deliveries.map((each: any) => (each.kind === 'replay' ? replays.shift() : each));
    }),
  ),
  messages('a replay sends what the filters leave out', 'webhook.replayed', () => {
    const count = seen();
    return (message) => {
      message.isTwice = count(message.headers['webhook-id'] ?? '') === 2;
    };
  }),
  {
    ...op('listWebhookDeliveries', 'the last page of a log has a nextCursor', 'webhook.replayed', () => undefined),
    plant: () => (asked, answered) => {
      if (!asked.path.includes('/deliveries')) return;
      if (asked.path.endsWith(`cursor=${NO_HASH}`)) as(200, { deliveries: [] })(answered, asked);
      else if (answered.status === 200) answered.body.nextCursor ??= NO_HASH;
    },
  },
  keeps(
    op('updateToken', 'limits are added to those before', 'access.limits', () => undefined),
    ({ method, body: sent }) => method === 'PATCH' && sent?.limits !== undefined,
    ({ limits }) => limits,
    (token, kept) => (token.limits = { ...kept, ...token.limits }),
  ),
  keeps(
    op('listTokens', 'a token that has expired can be used', 'access.limits', () => undefined),
    ({ path: asked }, { body: answer }) => /owner=[^&]+$/.test(asked) && answer.tokens?.length === 1,
    ({ tokens }) => (tokens?.length === 2 ? tokens : undefined),
    (page, kept) => (page.tokens = kept),
  ),
  op(
    'rotateToken',
    'a rotation loses the limits',
    'access.limits',
    body(({ made }) => delete made.limits),
    201,
  ),
  op(
    'getOpenapiJson',
    'a list of ETags is not compared',
    'documents.etag',
    (answered, asked) => asked.headers['if-none-match']?.includes(',') === true && as(200)(answered, asked),
    304,
  ),
  op(
    'getChain',
    'the clock of the service is that of the last block',
    'documents.chain',
    body((chain) => (chain.serviceTime = chain.lastBlockTime)),
  ),
  op(
    'getChain',
    'the time of the last block is the clock of the service',
    'documents.chain',
    body((chain) => (chain.lastBlockTime = chain.serviceTime)),
  ),
  ...(['getRpcTxSearch', 'getRpcBlockSearch'] as const).map((operationId) =>
    op(
      operationId,
      `${operationId} turns each page and not the list`,
      'rpc.search-order',
      body(({ result }, { path: asked }) => asked.includes('desc') && (result.txs ?? result.blocks).reverse()),
    ),
  ),
  op(
    'submitTransaction',
    'nextNonce of a problem is one too low',
    'transfer.next-nonce-named',
    body((problem) => problem.code === 'nonce_conflict' && (problem.nextNonce -= 1)),
    409,
  ),
  op(
    'rotateToken',
    'an overlap gives a token more time than it had',
    'access.limits',
    body(({ replaced }) => (replaced.expiresAt = later(replaced.expiresAt))),
    201,
  ),
  op(
    'createToken',
    'a token holds for longer than was asked for',
    'access.limits',
    body((token) => token.expiresAt && (token.expiresAt = later(token.expiresAt))),
    201,
  ),
  {
    ...op('submitTransaction', 'keys are compared without their case', 'idempotency.key-exact', () => undefined),
    plant: () => {
      const count = seen();
      return (asked, answered) => {
        const key = asked.headers['idempotency-key'];
        if (typeof key === 'string' && answered.status === 202 && count(key.toLowerCase()) > 1)
          as(422, { code: 'idempotency_key_reused' })(answered, asked);
      };
    },
  },
  op(
    'getAccount',
    'an account at a height has another nonce to sign next',
    'statement.adds-up',
    body((account, { path: asked }) => asked.includes('height=') && (account.nextNonce += 1)),
  ),
  keeps(
    op('listEntries', 'from of a statement is ignored', 'statement.adds-up', () => undefined),
    has('&from='),
    ({ entries }) => filled(entries),
    (page, kept) => (page.entries = kept),
  ),
  messages('what a webhook passed over arrives', 'webhook.passed-over', () => {
    const count = seen();
    return (message) => (message.isTwice = count('all') === 1);
  }),
  op('listEvents', 'what another owner submitted is told', 'event.owner', as(200, { events: [], height: 1 }), 403),
  op(
    'getRpcBlockchain',
    'the list of blocks is without its last',
    'rpc.search-order',
    body(({ result }) => result.block_metas.shift()),
  ),
  op(
    'cancelTransaction',
    'who submitted first cancels for a bound address',
    'access.bindings',
    as(200, { status: 'cancelled' }),
    403,
  ),
  {
    ...op('revokeToken', 'Allow lacks DELETE', 'documents.allow', () => undefined),
    plant: () => (_asked, answered) => {
      const { allow } = answered.headers;
      if (answered.status === 405) answered.headers['allow'] = String(allow).replace(/(, )?DELETE/, '');
    },
  },
  op(
    'submitTransactionBatch',
    'null for an optional member of a batch is refused',
    'json.nulls',
    body(({ results }) => results.forEach((each: any) => (each.outcome = 'refused'))),
  ),
  op('getReceipt', 'a receipt is waited for with wait=0', 'receipt.not-ready', as(200, {}), 409),
  op(
    'listAccounts',
    'accounts are sorted by address',
    'account.together',
    body(({ accounts }) => accounts.sort((a: any, b: any) => (a.address < b.address ? -1 : 1))),
  ),
];

/** One for each workflow that the kit runs and faults.ts has none for. */
const workflows: readonly Row[] = [
  op(
    'submitTransactionBatch',
    'a batch that is sent again is accepted again',
    'workflow.batch',
    body(({ results }) =>
      results.forEach((each: any) => (each.outcome = each.outcome.replace('replayed', 'accepted'))),
    ),
  ),
  op(
    'checkTransaction',
    'what the sender cannot pay passes the dry run',
    'workflow.dryRun',
    body((check) => (check.outcome = check.outcome.replace('refused', 'accepted'))),
  ),
  op(
    'listEvents',
    'events behind a place are taken in any order',
    'workflow.eventsFromAPlace',
    as(200, { events: [] }),
    400,
  ),
  op(
    'getReceipt',
    'a receipt names another chain',
    'workflow.receipt',
    body((receipt) => (receipt.chainId = 'another-chain-1')),
  ),
  op(
    'getReceipt',
    'a receipt that is not ready is never ready',
    'workflow.receiptTooEarly',
    body((problem) => (problem.retriable = false)),
    409,
  ),
  op(
    'listEntries',
    'what was paid stands in the statement as income',
    'workflow.statement',
    body(({ entries }) => entries?.forEach((each: any) => (each.direction = 'in'))),
  ),
  op(
    'rotateToken',
    'a rotated token keeps its id',
    'workflow.tokens',
    body((rotated, asked) => (rotated.made.tokenId = asked.path.split('/')[3])),
    201,
  ),
  op('createWebhook', 'one webhook can be made twice, by the workflow', 'workflow.webhook', as(201), 409),
];

export const OPERATION_FAULTS: readonly Row[] = [
  ...workflows,
  ...receipts,
  ...statements,
  ...events,
  ...webhooks,
  ...deliveries,
  ...untouched,
  ...access,
  ...documents,
  ...rpc,
  ...promises,
  ...heights,
  ...byAStranger,
];

/** Operations whose faults faults.ts plants by their path. */
const BY_PATH: readonly string[] = [
  ...[
    'submitTransaction',
    'submitTransactionBatch',
    'listTransactions',
    'getTransaction',
    'cancelTransaction',
    'submitCancel',
  ],
  ...['getAccount', 'listAccounts', 'checkTransaction', 'getChain', 'getOpenapiJson', 'callRpc'],
  ...POSTED.map(([, name]) => `getRpc${name}`),
];

/** Operations for which no fault is planted. */
export function withoutFault(): readonly string[] {
  const named = new Set([...BY_PATH, ...OPERATION_FAULTS.flatMap(({ operation }) => operation ?? [])]);
  return [...contract.operations.keys()].filter((operationId) => !named.has(operationId));
}
