/**
 * A checkout that cannot sell twice. Click as often as you like, from as many processes as you like, and kill them whenever you like.
 *
 *   PUT  /orders/ID      with the price in minor units as its body: an order
 *   POST /orders/ID/pay  pays it: the click. 200 paid, 202 not decided yet, 409 not paid: click again to try once more
 *
 * An order is paid by one signed transfer. Its nonce, its reference and the end of its validity are chosen once, and it is on disk before it is
 * sent. From then on every click, every restart and every other process sends those very bytes, and the ledger executes them once. Only when the
 * ledger has said that they can never execute does the order get another transfer, under another reference.
 *
 * It needs Node 22.13 or newer, and an account that nothing else pays from.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { createClient, encodeAddress, getAccount, getChain, signerFromSeed, signTransfer, submitTransaction, waitForTransaction } from '@transaction-ledger/client';

const { LEDGER_URL, LEDGER_TOKEN, LEDGER_SEED, RECEIVER, SHOP_DB = 'shop.db', SHOP_PORT = '0', VALID_FOR_MS = '900000' } = process.env;
/** How long a click waits for a block. */
const CLICK_MS = 20_000;
/** Between two looks at payments whose outcome is not known. */
const RESUME_MS = 1_000;
/** Refusals after which these bytes can never execute, whatever happens. After any other the same are sent again. */
const NEVER = new Set(['validity_passed', 'nonce_too_low', 'nonce_conflict', 'nonce_cancelled']);
/** Outcomes that used the nonce up. A payment that was refused left it to another. */
const USED = "'committed', 'failed', 'cancelled', 'expired'";

const client = createClient({ baseUrl: LEDGER_URL, token: LEDGER_TOKEN });
const [signer, chain] = [await signerFromSeed(LEDGER_SEED), await getChain(client)];
const from = encodeAddress(signer.publicKey, chain.addressPrefix);

const db = new DatabaseSync(SHOP_DB);
db.exec(`
  PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; -- what is committed is on disk
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, amount TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, order_id TEXT NOT NULL, nonce INTEGER NOT NULL, signed TEXT NOT NULL,
    outcome TEXT -- none while these bytes can still execute
  );
  -- An order has one payment that is paid or can still be, and a nonce has one that used it or still can: of two that are made at once, one is.
  CREATE UNIQUE INDEX IF NOT EXISTS one_for_an_order ON payments (order_id) WHERE outcome IS NULL OR outcome = 'committed';
  CREATE UNIQUE INDEX IF NOT EXISTS one_for_a_nonce ON payments (nonce) WHERE outcome IS NULL OR outcome IN (${USED});
`);
const addOrder = db.prepare('INSERT INTO orders VALUES (?, ?) ON CONFLICT DO NOTHING');
const findOrder = db.prepare('SELECT * FROM orders WHERE id = ?');
const findPayment = db.prepare("SELECT * FROM payments WHERE order_id = ? AND (outcome IS NULL OR outcome = 'committed')");
const countPayments = db.prepare('SELECT count(*) AS made FROM payments WHERE order_id = ?');
const openPayments = db.prepare('SELECT * FROM payments WHERE outcome IS NULL ORDER BY nonce');
const takenNonces = db.prepare(`SELECT nonce FROM payments WHERE nonce >= ? AND (outcome IS NULL OR outcome IN (${USED}))`);
const keep = db.prepare('INSERT INTO payments (reference, order_id, nonce, signed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
const decide = db.prepare('UPDATE payments SET outcome = ? WHERE reference = ? AND outcome IS NULL');

/** The one payment of the order: the one that is kept, or a new one, kept before anyone sees it. */
async function paymentOf(order) {
  for (;;) {
    const kept = findPayment.get(order.id);
    if (kept) return kept;
    const { made } = countPayments.get(order.id);
    const [{ nextNonce }, { lastBlockTime, serviceTime }] = [await getAccount(client, { address: from }), await getChain(client)];
    const taken = new Set(takenNonces.all(nextNonce).map(({ nonce }) => nonce));
    let nonce = nextNonce;
    while (taken.has(nonce)) nonce += 1;
    const reference = `${order.id}/${made + 1}`;
    const validUntil = new Date(Math.max(Date.parse(lastBlockTime), Date.parse(serviceTime)) + Number(VALID_FOR_MS));
    const signed = await signTransfer({ signer, chain, to: RECEIVER, amount: BigInt(order.amount), nonce, reference, validUntil });
    // Another click or process may have been faster with the order, the reference or the nonce: then this one was never sent, and is forgotten.
    keep.run(reference, order.id, nonce, JSON.stringify(signed));
  }
}

/** Sends a kept payment, as often as needed, and keeps what a block decided. */
async function sendAndWait({ reference, signed }) {
  const transfer = JSON.parse(signed);
  let outcome;
  try {
    await submitTransaction(client, { signed: transfer, timeoutMs: CLICK_MS });
    ({ outcome } = await waitForTransaction(client, { txHash: transfer.txHash, timeoutMs: CLICK_MS }));
  } catch (error) {
    if (!NEVER.has(error.code)) throw error;
    outcome = error.code;
  }
  if (outcome !== 'undecided') decide.run(outcome, reference);
  return outcome;
}

const settling = new Map();

/** However many ask, one of this process sends it; another process may send it at the same time, which does no harm. */
async function settle(payment) {
  if (payment.outcome) return payment.outcome;
  if (!settling.has(payment.reference)) settling.set(payment.reference, sendAndWait(payment).finally(() => settling.delete(payment.reference)));
  return settling.get(payment.reference);
}

/** What a killed process left behind, also another one, and what was not decided in time: later nonces wait for it. */
function resume() {
  for (const payment of openPayments.all()) settle(payment).catch(() => {});
}

async function answer(request) {
  const [, id, pay] = /^\/orders\/([\w-]{1,64})(\/pay)?$/.exec(request.url) ?? [];
  if (id && !pay && request.method === 'PUT') {
    const amount = (await request.toArray()).join('');
    if (!/^[1-9][0-9]{0,15}$/.test(amount)) return [400, { error: 'the price is a whole number of minor units' }];
    addOrder.run(id, amount);
    return [200, findOrder.get(id)];
  }
  const order = id && pay && request.method === 'POST' && findOrder.get(id);
  if (!order) return [404, { error: 'there is no such order' }];
  const payment = await paymentOf(order);
  const outcome = await settle(payment).catch(() => 'undecided');
  return [outcome === 'committed' ? 200 : outcome === 'undecided' ? 202 : 409, { order: id, reference: payment.reference, outcome }];
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch((error) => [503, { error: error.message }]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
});
server.listen(Number(SHOP_PORT), '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
resume();
setInterval(resume, RESUME_MS);
