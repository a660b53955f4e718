/**
 * One row for each fault: what is wrong, what is done to the answers, and the check that has to find it. The rows of the error codes are made
 * from the catalogue, two for each.
 */
import { CATALOGUE, CODES, type Code } from '../src/catalogue.ts';
import { CHECKS } from '../src/kit.ts';
import { OPERATION_FAULTS } from './operation-faults.ts';
import type { Answered, Asked } from './proxy.ts';
import type { Row } from './row.ts';

type When = (asked: Asked, answered: Answered) => boolean;
type Change = (answered: Answered, asked: Asked) => void;

const route = ({ method, path }: Asked): string =>
  `${method} ${path.split('?')[0]?.replace(/\/(transactions|accounts)\/(?!(?:batch|check)$)[^/]+(\/cancel)?$/, '/$1/{id}$2') ?? ''}`;
const on =
  (name: string, status?: number): When =>
  (asked, answered) =>
    route(asked) === name && (status === undefined || answered.status === status);
const always: When = () => true;

const SUBMIT = 'POST /transactions';
const BATCH = 'POST /transactions/batch';
const LIST = 'GET /transactions';
const READ = 'GET /transactions/{id}';
const CANCEL = 'DELETE /transactions/{id}';
const SIGNED_CANCEL = 'POST /transactions/{id}/cancel';
const ACCOUNT = 'GET /accounts/{id}';
const ACCOUNTS = 'GET /accounts';
const CHECK = 'POST /transactions/check';
const CHAIN = 'GET /chain';

function row(name: string, expected: string, when: When, change: Change): Row {
  return {
    name,
    expected,
    plant: () => (asked, answered) => {
      if (when(asked, answered)) change(answered, asked);
    },
  };
}

const header =
  (name: string, value?: string): Change =>
  ({ headers }) => {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  };
const body =
  (change: (body: any) => void): Change =>
  (answered) => {
    if (answered.body !== undefined) change(answered.body);
  };
/** Answers as a success instead of a refusal. */
const accepted: Change = (answered, { body: sent }) => {
  answered.status = 202;
  answered.headers['content-type'] = 'application/json';
  answered.body = { ...sent, status: 'pending' };
};
/** Takes another payment for the one that holds the nonce. */
const asReplay: Change = (answered, asked) => {
  const { txHash } = answered.body;
  accepted(answered, asked);
  answered.status = 200;
  answered.body.txHash = txHash;
};

const isCode =
  (code: Code): When =>
  (_, { body: problem }) =>
    problem?.code === code;
const anotherStatus = (code: Code): number => (CATALOGUE[code].status === 400 ? 422 : 400);
const PROVOKED = CODES.filter((code) => CHECKS.some(({ id }) => id === `catalogue.${code}`));

/** Wrong status and wrong code, for every code that a client can provoke. */
const codes: readonly Row[] = PROVOKED.flatMap((code) => [
  row(`${code} answered ${anotherStatus(code)}`, `catalogue.${code}`, isCode(code), (answered) => {
    answered.status = anotherStatus(code);
    answered.body.status = anotherStatus(code);
  }),
  row(
    `${code} called internal`,
    `catalogue.${code}`,
    isCode(code),
    body((problem) => (problem.code = 'internal')),
  ),
]);

/** For a code that a client cannot provoke, what can be found out is that the contract has it. */
const undeclared: readonly Row[] = CODES.filter((code) => !PROVOKED.includes(code)).map((code) =>
  row(
    `${code} not in the contract`,
    'catalogue.declared',
    on('GET /openapi.json'),
    body((document) => {
      const schema = document.components.schemas.ProblemCode;
      for (const list of ['enum', 'x-extensible-enum'])
        if (Array.isArray(schema[list])) schema[list] = schema[list].filter((value: string) => value !== code);
    }),
  ),
);

/** Remembers what was sent, so that a second time can be told from a first. */
function onReplay(name: string, expected: string, change: Change): Row {
  return {
    name,
    expected,
    plant: () => {
      const seen = new Set<string>();
      return (asked, answered) => {
        if (route(asked) !== SUBMIT || asked.body === undefined) return;
        const { from, nonce, to, amount } = asked.body as Record<string, unknown>;
        const key = JSON.stringify([from, nonce, to, amount]);
        if (seen.has(key) && answered.status === 200) change(answered, asked);
        seen.add(key);
      };
    },
  };
}

/** A second time shows in the balance of the receiver. */
const paidTwice: Row = {
  name: 'a replay is paid again',
  expected: 'idempotency.replay',
  plant: () => {
    const paid = new Map<string, bigint>();
    return (asked, answered) => {
      if (route(asked) === SUBMIT && answered.status === 200) paid.set(asked.body.to, BigInt(asked.body.amount));
      const extra = paid.get(answered.body?.address ?? '');
      if (route(asked) === ACCOUNT && extra !== undefined)
        answered.body.balance = String(BigInt(answered.body.balance) + extra);
    };
  },
};

/** The pages of a list: what the one before ended with. */
function onNextPage(name: string, change: (page: any, last: any) => void): Row {
  return {
    name,
    expected: 'list.pages-under-writes',
    plant: () => {
      let last: unknown;
      return (asked, answered) => {
        if (route(asked) !== LIST || answered.status !== 200) return;
        const { transactions } = answered.body;
        const ended: unknown = transactions.at(-1);
        if (asked.path.includes('cursor=')) change(answered.body, last);
        last = ended;
      };
    },
  };
}

const rpc =
  (method: string): When =>
  (asked, { body: answer }) =>
    asked.path.startsWith(`/rpc/${method}`) || (asked.body?.method === method && answer !== undefined);

const promises: readonly Row[] = [
  // Acknowledgement.
  row(
    'the outcomes of a batch in another order',
    'batch.in-order',
    on(BATCH, 200),
    body((answer) => answer.results.reverse()),
  ),
  row(
    'an outcome of a batch is left out',
    'batch.own-outcomes',
    on(BATCH, 200),
    body((answer) => answer.results.pop()),
  ),
  row(
    'pointers of a batch as of a single transfer',
    'batch.own-outcomes',
    on(BATCH, 200),
    body((answer) => {
      for (const { problem } of answer.results)
        for (const error of problem?.errors ?? []) error.pointer = error.pointer.replace(/^\/transactions\/[0-9]+/, '');
    }),
  ),
  row(
    'one refusal refuses the batch',
    'batch.own-outcomes',
    (asked, { body: answer }) => route(asked) === BATCH && answer?.results?.some(({ problem }: any) => problem),
    (answered) => {
      const { problem } = answered.body.results.find((each: any) => each.problem);
      Object.assign(answered, { status: problem.status, body: problem });
      answered.headers['content-type'] = 'application/problem+json';
    },
  ),
  row(
    'a replay in a batch is called accepted',
    'batch.again',
    on(BATCH, 200),
    body((answer) => {
      for (const each of answer.results) if (each.outcome === 'replayed') each.outcome = 'accepted';
    }),
  ),
  row('a batch with a fault of its envelope is taken', 'batch.envelope', on(BATCH, 400), (answered) => {
    Object.assign(answered, { status: 200, body: { results: [] } });
    answered.headers['content-type'] = 'application/json';
  }),
  row(
    'a new transfer is answered 200',
    'transfer.acknowledged',
    on(SUBMIT, 202),
    (answered) => (answered.status = 200),
  ),
  row(
    'the hash is in lower case',
    'transfer.acknowledged',
    on(SUBMIT, 202),
    body((tx) => (tx.txHash = tx.txHash.toLowerCase())),
  ),
  row(
    'the amount comes back as a number',
    'transfer.acknowledged',
    on(SUBMIT, 202),
    body((tx) => (tx.amount = Number(tx.amount))),
  ),
  row(
    'an amount as a number, against the contract',
    'contract.answers',
    on(LIST, 200),
    body(({ transactions }) => transactions.forEach((tx: any) => (tx.amount = Number(tx.amount)))),
  ),
  row('Location is missing', 'transfer.acknowledged', on(SUBMIT, 202), header('location')),
  row(
    'the signature is shown',
    'transfer.acknowledged',
    on(SUBMIT, 202),
    (answered, { body: sent }) => (answered.body.signature = sent.signature),
  ),
  row(
    'waiting for a nonce has no reason',
    'workflow.nonceGap',
    on(SUBMIT, 202),
    body((tx) => delete tx.reason),
  ),
  // Waiting.
  row(
    'a commit after a wait is answered 202',
    'transfer.wait-committed',
    on(SUBMIT, 201),
    (answered) => (answered.status = 202),
  ),
  row(
    'what is not committed is answered 201',
    'transfer.wait-not-committed',
    on(SUBMIT, 202),
    (answered) => (answered.status = 201),
  ),
  row('Preference-Applied is missing', 'transfer.wait-committed', on(SUBMIT, 201), header('preference-applied')),
  row(
    'a committed transfer has no height',
    'transfer.wait-committed',
    on(SUBMIT, 201),
    body((tx) => delete tx.height),
  ),
  row(
    'a committed transfer has no history',
    'transfer.wait-committed',
    on(READ, 200),
    body((tx) => delete tx.history),
  ),
  row(
    'wait=0 says committed at once',
    'transfer.no-wait',
    on(SUBMIT, 202),
    body((tx) => (tx.status = 'committed')),
  ),
  row(
    'a poll never sees the commit',
    'workflow.payAndPoll',
    on(READ, 200),
    body((tx) => (tx.status = 'failed')),
  ),
  // Replays.
  onReplay('a replay is answered 202', 'idempotency.replay', (answered) => (answered.status = 202)),
  onReplay('a replay is not marked', 'idempotency.replay', header('idempotent-replayed')),
  onReplay(
    'a replay has another hash',
    'workflow.sendAgain',
    body((tx) => (tx.txHash = '0'.repeat(64))),
  ),
  ...[SUBMIT, READ].map((name) =>
    row(
      `a reference is not told by ${name}`,
      'idempotency.reference',
      (asked, { body: answer }) => route(asked) === name && answer?.reference !== undefined,
      body((tx) => delete tx.reference),
    ),
  ),
  row(
    'the end of a validity is another',
    'idempotency.reference',
    (asked, { body: answer }) => route(asked) === READ && answer?.validUntil !== undefined,
    body((tx) => (tx.validUntil += 1)),
  ),
  row(
    'a reference is no part of a payment',
    'idempotency.reference',
    (asked, { status }) => route(asked) === SUBMIT && status === 409 && asked.body?.reference === 'order 2',
    asReplay,
  ),
  row(
    'an end is no part of a payment',
    'idempotency.reference',
    (asked, { status }) => route(asked) === SUBMIT && status === 409 && asked.body?.validUntil === 253_402_300_798,
    asReplay,
  ),
  row(
    'the filter reference is ignored',
    'idempotency.reference',
    (asked, { status }) => status === 200 && route(asked) === LIST && asked.path.includes('reference='),
    body((page) => page.transactions.push({ txHash: '0'.repeat(64) })),
  ),
  onReplay('another signature is a conflict', 'idempotency.another-signature', (answered) => (answered.status = 409)),
  onReplay(
    'another signature has a hash of its own',
    'workflow.sendUnderAnotherSignature',
    body((tx) => (tx.txHash = 'F'.repeat(64))),
  ),
  onReplay('duplicates at once are all new', 'idempotency.duplicates-at-once', (answered) => (answered.status = 202)),
  paidTwice,
  row('everything is marked as a replay', 'idempotency.replay', on(SUBMIT), header('idempotent-replayed', 'true')),
  row('two payments win one nonce', 'idempotency.race-for-a-nonce', isCode('nonce_conflict'), accepted),
  row(
    'a conflict names no transfer',
    'workflow.conflict',
    isCode('nonce_conflict'),
    body((problem) => delete problem.txHash),
  ),
  row(
    'a conflict names itself',
    'idempotency.race-for-a-nonce',
    isCode('nonce_conflict'),
    body((problem) => (problem.txHash = '0'.repeat(64))),
  ),
  // Accounts.
  row(
    'the nonce of an account is one behind',
    'transfer.arithmetic',
    on(ACCOUNT, 200),
    body((account) => (account.nonce = Math.max(0, account.nonce - 1))),
  ),
  row(
    'nextNonce forgets what is pending',
    'transfer.pending-counts',
    on(ACCOUNT, 200),
    body((account) => (account.nextNonce = account.nonce)),
  ),
  row(
    'the balance forgets a transfer',
    'transfer.arithmetic',
    on(ACCOUNT, 200),
    body((account) => (account.balance = account.balance === '600' ? '1000' : account.balance)),
  ),
  row(
    'an unknown account is 404',
    'transfer.arithmetic',
    (asked, { body: account }) => route(asked) === ACCOUNT && account?.balance === '0',
    (answered) => (answered.status = 404),
  ),
  row('promised money can be promised again', 'transfer.pending-counts', isCode('insufficient_funds'), accepted),
  row('too little money is accepted', 'workflow.insufficientFunds', isCode('insufficient_funds'), accepted),
  row(
    'pendingOut forgets what waits',
    'account.spendable',
    on(ACCOUNT, 200),
    body((account) => (account.pendingOut = '0')),
  ),
  row(
    'available is the balance',
    'account.spendable',
    on(ACCOUNT, 200),
    body((account) => (account.available = account.balance)),
  ),
  row(
    'a gap is left out',
    'account.spendable',
    on(ACCOUNT, 200),
    body((account) => account.gaps?.pop()),
  ),
  row(
    'a gap has one nonce more',
    'account.spendable',
    on(ACCOUNT, 200),
    body((account) => account.gaps?.forEach((gap: any) => (gap.last += 1))),
  ),
  row(
    'accounts come in another order',
    'account.together',
    on(ACCOUNTS, 200),
    body((list) => list.accounts.reverse()),
  ),
  row(
    'accounts are of several moments',
    'account.together',
    on(ACCOUNTS, 200),
    body((list) => (list.accounts[0].height -= 1)),
  ),
  row('an account is asked for twice', 'account.together', on(ACCOUNTS, 400), (answered) => (answered.status = 422)),
  // Dry runs.
  row(
    'a dry run finds everything good',
    'check.as-submitting',
    on(CHECK, 200),
    body((told) => Object.assign(told, { outcome: 'accepted', problem: undefined })),
  ),
  row(
    'a dry run calls a replay new',
    'check.as-submitting',
    on(CHECK, 200),
    body((told) => (told.outcome = told.outcome === 'replayed' ? 'accepted' : told.outcome)),
  ),
  row(
    'a dry run has another reason',
    'check.as-submitting',
    on(CHECK, 200),
    body((told) => told.problem && (told.problem.code = 'nonce_too_low')),
  ),
  row(
    'a dry run holds the nonce',
    'check.no-effect',
    on(CHECK, 200),
    body((told) => told.account && (told.account.nextNonce += 1)),
  ),
  row(
    'a dry run without a signature calls it valid',
    'check.no-effect',
    on(CHECK, 200),
    body((told) => (told.signatureStatus = 'valid')),
  ),
  row(
    'a dry run tells other bytes to sign',
    'check.no-effect',
    on(CHECK, 200),
    body((told) => (told.signBytes = told.signBytes.replace('\n', '\r\n'))),
  ),
  // Signatures.
  row('a changed amount is accepted', 'workflow.wrongSignature', isCode('invalid_signature'), accepted),
  row(
    'signBytes is missing',
    'workflow.wrongSignature',
    isCode('invalid_signature'),
    body((problem) => delete problem.signBytes),
  ),
  row('S past the order is accepted', 'transfer.strict-signature', isCode('invalid_signature'), accepted),
  row('a signature for another chain is accepted', 'transfer.wrong-chain', isCode('invalid_signature'), accepted),
  row('a wrong hash is accepted', 'workflow.wrongHash', isCode('tx_hash_mismatch'), accepted),
  row('a nonce far ahead is accepted', 'workflow.nonceTooHigh', isCode('nonce_too_high'), accepted),
  row('a weak address is accepted', 'vectors.addresses', isCode('invalid_address'), (answered) =>
    Object.assign(answered, { status: 200, body: { address: 'x', balance: '0', nonce: 0, nextNonce: 0 } }),
  ),
  row('a right address is refused', 'vectors.addresses', on(ACCOUNT, 200), (answered) => (answered.status = 422)),
  // Cancels.
  row(
    'a cancel says 200 and nothing is cancelled',
    'cancel.is-final',
    on(READ, 200),
    body((tx) => (tx.status = tx.status === 'cancelled' ? 'committed' : tx.status)),
  ),
  row('a cancelled nonce can be used', 'cancel.is-final', isCode('nonce_cancelled'), accepted),
  row('a cancelled nonce can be used, by the workflow', 'workflow.cancelPending', isCode('nonce_cancelled'), accepted),
  row(
    'a cancelled transfer is paid when it is sent again',
    'cancel.is-final',
    on(SUBMIT, 200),
    body((tx) => (tx.status = 'committed')),
  ),
  row('an undecided cancel is answered 200', 'cancel.no-wait', on(CANCEL, 202), (answered) => (answered.status = 200)),
  row(
    'cancel_requested is not told',
    'cancel.no-wait',
    on(CANCEL, 202),
    body((tx) => (tx.reason.code = 'broadcast')),
  ),
  row('a cancel that another key signed is taken', 'cancel.signed-by-another', on(SIGNED_CANCEL, 422), (answered) =>
    Object.assign(answered, { status: 202, body: { status: 'pending', reason: { code: 'cancel_requested' } } }),
  ),
  row(
    'a refused signed cancel cancels',
    'cancel.signed-by-another',
    on(READ, 200),
    body((tx) => (tx.status = tx.status === 'committed' ? 'cancelled' : tx.status)),
  ),
  row(
    'a signed cancel tells other bytes to sign',
    'cancel.signed-by-another',
    on(SIGNED_CANCEL, 422),
    body((problem) => (problem.signBytes = problem.signBytes.replace('"signer"', '"by"'))),
  ),
  row(
    "a sender's cancel that comes too late is taken",
    'cancel.signed-by-another',
    on(SIGNED_CANCEL, 409),
    (answered) => (answered.status = 200),
  ),
  row("a sender's cancel needs the submitter's token", 'cancel.signed', on(SIGNED_CANCEL, 202), (answered) =>
    Object.assign(answered, { status: 403, body: { code: 'not_submitter' } }),
  ),
  row(
    'a signed cancel is answered otherwise than DELETE: without Preference-Applied',
    'cancel.signed',
    on(SIGNED_CANCEL),
    header('preference-applied'),
  ),
  row(
    'a signed cancel is answered otherwise than DELETE: decided is 202',
    'cancel.signed',
    on(SIGNED_CANCEL, 200),
    (answered) => (answered.status = 202),
  ),
  row('too late is answered 200', 'workflow.cancelTooLate', isCode('already_settled'), (answered) =>
    Object.assign(answered, { status: 200 }),
  ),
  row(
    'a lost race is told as won',
    'cancel.races-the-block',
    (asked) => route(asked) === CANCEL,
    (answered) => {
      // Whichever way it went, the other is told.
      const won = answered.status === 200;
      answered.status = won ? 409 : 200;
      answered.body = won ? { ...answered.body, code: 'already_settled' } : { ...answered.body, status: 'cancelled' };
    },
  ),
  row(
    'too late tells no status',
    'workflow.cancelTooLate',
    isCode('already_settled'),
    body((problem) => delete problem.transactionStatus),
  ),
  row(
    'another owner may cancel',
    'workflow.anotherOwner',
    isCode('not_submitter'),
    (answered) => (answered.status = 202),
  ),
  row('a reader may submit', 'workflow.missingScope', isCode('insufficient_scope'), accepted),
  row('a revoked token is valid', 'workflow.revokedToken', isCode('unauthenticated'), (answered) =>
    Object.assign(answered, { status: 200, body: { transactions: [] } }),
  ),
  row('no token is needed', 'workflow.noToken', isCode('unauthenticated'), (answered) =>
    Object.assign(answered, { status: 200, body: { transactions: [] } }),
  ),
  row('WWW-Authenticate is missing', 'catalogue.unauthenticated', always, header('www-authenticate')),
  row('what was never sent is found', 'workflow.unknownId', isCode('not_found'), (answered) => (answered.status = 200)),
  // Lists.
  onNextPage('a page repeats the last row of the one before', (page, last) => page.transactions.unshift(last)),
  onNextPage('a page skips a row', (page) => page.transactions.shift()),
  row(
    'what is sent meanwhile shows on a later page',
    'workflow.listUnderWrites',
    (asked) => route(asked) === LIST && asked.path.includes('cursor='),
    body((page) =>
      page.transactions.unshift(page.transactions[0] && { ...page.transactions[0], txHash: 'F'.repeat(64) }),
    ),
  ),
  row(
    'the oldest comes first',
    'list.pages-under-writes',
    on(LIST, 200),
    body((page) => page.transactions.reverse()),
  ),
  row(
    'the last page has a cursor',
    'list.last-page',
    on(LIST, 200),
    body((page) => (page.nextCursor ??= 'AAAAAAAAAAA')),
  ),
  row(
    'the first page has no cursor',
    'list.last-page',
    on(LIST, 200),
    body((page) => delete page.nextCursor),
  ),
  row(
    'a filter is ignored',
    'list.filters',
    (asked) => route(asked) === LIST && asked.path.includes('status=pending'),
    body((page) => page.transactions.push({ txHash: '0'.repeat(64) })),
  ),
  row(
    'a limit of 1e2 is taken',
    'list.strict-parameters',
    (asked, { status }) => asked.path.includes('limit=1e2') && status === 400,
    (answered) => Object.assign(answered, { status: 200, body: { transactions: [] } }),
  ),
  row(
    'a cursor of no page is taken',
    'list.strict-parameters',
    (asked, { status }) => asked.path.includes('cursor=AAAA') && status === 400,
    (answered) => Object.assign(answered, { status: 200, body: { transactions: [] } }),
  ),
  // Problems.
  row(
    'a problem has no requestId',
    'catalogue.not_found',
    isCode('not_found'),
    body((problem) => delete problem.requestId),
  ),
  row(
    'a problem is plain JSON',
    'catalogue.not_found',
    isCode('not_found'),
    header('content-type', 'application/json'),
  ),
  row(
    'a problem has no detail',
    'catalogue.not_found',
    isCode('not_found'),
    body((problem) => delete problem.detail),
  ),
  row(
    'a problem that is final is retriable',
    'catalogue.insufficient_funds',
    isCode('insufficient_funds'),
    body((problem) => (problem.retriable = true)),
  ),
  row(
    'a problem has another type',
    'catalogue.not_found',
    isCode('not_found'),
    body((problem) => (problem.type = 'about:blank')),
  ),
  row(
    'the requestId is another',
    'catalogue.not_found',
    isCode('not_found'),
    body((problem) => (problem.requestId = 'other')),
  ),
  row(
    'errors names no place',
    'workflow.malformedInput',
    isCode('invalid_request'),
    body((problem) => delete problem.errors),
  ),
  row('Allow is missing', 'catalogue.method_not_allowed', always, header('allow')),
  row('Retry-After is missing', 'catalogue.too_many_pending', always, header('retry-after')),
  row(
    'the page of the errors lacks one',
    'catalogue.documented',
    on('GET /docs/errors'),
    (answered) => (answered.text = answered.text.replaceAll('id="nonce_conflict"', '')),
  ),
  row(
    'the contract has another status for a code',
    'catalogue.declared',
    on('GET /openapi.json'),
    body((document) => (document.components.schemas.ProblemCode['x-problems'].internal.status = 503)),
  ),
  // Headers.
  row('Cache-Control is missing', 'headers.no-store', on(CHAIN), header('cache-control')),
  row('Cache-Control lets caches keep answers', 'headers.no-store', on(LIST), header('cache-control', 'max-age=60')),
  row('nosniff is missing', 'headers.nosniff', always, header('x-content-type-options')),
  row('X-Request-Id is missing', 'headers.request-id', on(CHAIN), header('x-request-id')),
  row('X-Request-Id is not that of the request', 'headers.request-id-echo', always, header('x-request-id', 'mine')),
  row('X-Powered-By is there', 'headers.no-banner', always, header('x-powered-by', 'Express')),
  row('any web page may read', 'headers.no-cors', always, header('access-control-allow-origin', '*')),
  row('RateLimit is on some answers only', 'headers.rate-limit', on(CHAIN), header('ratelimit')),
  row('RateLimit-Policy is on some answers only', 'headers.rate-limit', on(LIST, 200), header('ratelimit-policy')),
  row(
    'Retry-After is missing where a quota is used up',
    'catalogue.rate_limited',
    isCode('rate_limited'),
    header('retry-after'),
  ),
  row('JSON is called text', 'headers.media-type', on(CHAIN), header('content-type', 'text/plain')),
  // The contract.
  row(
    'a member is missing, against the contract',
    'contract.answers',
    on(READ, 200),
    body((tx) => delete tx.firstSeenAt),
  ),
  row(
    'a status that the contract does not have',
    'contract.problems',
    isCode('not_found'),
    (answered) => (answered.status = 410),
  ),
  row(
    'an amount that is a number',
    'contract.answers',
    on(LIST, 200),
    body((page) => page.transactions.forEach((tx: any) => (tx.amount = 1))),
  ),
  row(
    'the contract lacks an operation',
    'contract.published',
    on('GET /openapi.json'),
    body((document) => delete document.paths['/chain']),
  ),
  row(
    'the YAML is of another version',
    'contract.published',
    on('GET /openapi.yaml'),
    (answered) => (answered.text = answered.text.replace(/version: .*/, 'version: 0.0.1')),
  ),
  row(
    'an answer of the RPC has a number for a string',
    'contract.rpc-answers',
    rpc('status'),
    body((answer) => (answer.result.sync_info.latest_block_height = 1)),
  ),
  // JSON.
  ...CHECKS.filter(({ id }) => id.startsWith('json.')).map(({ id }) =>
    row(
      `${id.slice('json.'.length)} is taken`,
      id,
      (asked, { body: problem }) =>
        route(asked) === SUBMIT && ['malformed_json', 'invalid_request'].includes(problem?.code),
      accepted,
    ),
  ),
  // The RPC.
  ...CHECKS.filter(
    ({ id, accounts }) =>
      /^rpc\.[a-z_]+$/.test(id) &&
      accounts === undefined &&
      !['rpc.chain', 'rpc.health', 'rpc.batch', 'rpc.errors', 'rpc.constants'].includes(id),
  ).map(({ id }) =>
    row(
      `${id.slice('rpc.'.length)} without its envelope`,
      id,
      rpc(id.slice('rpc.'.length)),
      (answered) => (answered.body = answered.body.result ?? answered.body),
    ),
  ),
  row(
    'a method lacks a member',
    'rpc.commit',
    rpc('commit'),
    body((answer) => delete answer.result?.canonical),
  ),
  row(
    'the id of a GET is 1',
    'rpc.status',
    (asked) => asked.path.startsWith('/rpc/status'),
    body((answer) => (answer.id = 1)),
  ),
  row(
    'status names another chain',
    'rpc.chain',
    rpc('status'),
    body((answer) => (answer.result.node_info.network = 'other-1')),
  ),
  row(
    'heights are numbers',
    'rpc.chain',
    rpc('status'),
    body((answer) => (answer.result.sync_info.latest_block_height = 12)),
  ),
  row(
    'health is not empty',
    'rpc.health',
    rpc('health'),
    body((answer) => (answer.result = { ok: true })),
  ),
  row(
    'a batch loses its ids',
    'rpc.batch',
    (_, { body: answer }) => Array.isArray(answer),
    body((answer) => answer.forEach((entry: any) => (entry.id = 1))),
  ),
  row(
    'a batch is answered by one object',
    'rpc.batch',
    (_, { body: answer }) => Array.isArray(answer),
    (answered) => (answered.body = answered.body[0]),
  ),
  row(
    'an error has another code',
    'rpc.errors',
    always,
    body((answer) => answer.error && (answer.error.code = -32000)),
  ),
  row(
    'a transaction has another hash',
    'rpc.tx',
    rpc('tx?'),
    body((answer) => (answer.result.hash = '0'.repeat(64))),
  ),
  row(
    'a proof leads elsewhere',
    'rpc.tx',
    rpc('tx?'),
    body((answer) => (answer.result.proof.root_hash = '0'.repeat(64))),
  ),
  row(
    'check_tx takes what is not canonical',
    'rpc.check-tx',
    rpc('check_tx'),
    body((answer) => answer.result && (answer.result.code = 0)),
  ),
  row(
    'a broadcast is not listed',
    'rpc.broadcast',
    on(LIST, 200),
    body((page) => (page.transactions = [])),
  ),
  row(
    'a broadcast has another hash',
    'rpc.broadcast',
    rpc('broadcast_tx_sync'),
    body((answer) => answer.result && (answer.result.hash = '0'.repeat(64))),
  ),
  row('a broadcast needs no token', 'rpc.broadcast-token', isCode('unauthenticated'), (answered) =>
    Object.assign(answered, { status: 200, body: { jsonrpc: '2.0', id: -1, result: { code: 0 } } }),
  ),
  row(
    'events come under another id',
    'rpc.websocket',
    (asked) => asked.path.startsWith('/rpc/websocket'),
    (answered) => (answered.text = answered.text.replace('"id":"events"', '"id":"evenTs"')),
  ),
  row(
    'pay and wait says failed',
    'workflow.payAndWait',
    ({ headers, ...asked }, answered) =>
      on(SUBMIT, 201)({ headers, ...asked }, answered) && headers['prefer'] === 'wait=20',
    body((tx) => (tx.status = 'failed')),
  ),
];

/** What later versions may add: a kit that objects to it would forbid every change. */
const tolerated: readonly Row[] = [
  row(
    'an unknown member in every object',
    'passes:contract,workflow,transfer,list',
    (asked, { body: answer }) =>
      !asked.path.startsWith('/rpc') &&
      !asked.path.startsWith('/openapi') &&
      answer !== undefined &&
      !Array.isArray(answer),
    body((answer) => {
      answer.addedLater = { in: 'a later version' };
      answer.transactions?.forEach((tx: any) => (tx.addedLater = 1));
    }),
  ),
  row('an unknown header on every answer', 'passes:headers,catalogue.not_found', always, header('x-added-later', '1')),
  row(
    'a new error code in the contract',
    'passes:catalogue.declared,contract.problems',
    on('GET /openapi.json'),
    body((document) => document.components.schemas.ProblemCode['x-extensible-enum']?.push('added_later')),
  ),
];

/** Looked at where there are rate limits, and nowhere else. */
export const LIMITED: readonly string[] = ['catalogue.rate_limited', 'headers.rate-limit'];

export const FAULTS: readonly Row[] = [...promises, ...codes, ...undeclared, ...OPERATION_FAULTS, ...tolerated].map(
  (each) => ({
    ...each,
    limited: LIMITED.includes(each.expected),
  }),
);
