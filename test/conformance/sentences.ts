/**
 * Every sentence of the contract with never, always, once, exactly or at least: the checks that look whether it is so, or why that cannot be seen from
 * outside. kit.test.ts compares this list with the contract: a sentence that is new or was changed is added here, with a check or with a reason.
 */

export type Sentence = { readonly sentence: string } & (
  | { readonly checks: readonly string[] }
  | { readonly unseen: string }
);

export const SENTENCES: readonly Sentence[] = [
  { sentence: 'A member that does not apply is absent, never null.', checks: ['contract.no-nulls'] },
  {
    sentence:
      'Unless the operator set others, a token has 1,000 units a second and a client address 2,000, and the units of two seconds may be used at once.',
    unseen: 'What applies is for the operator to set, and using up a quota would take it from others.',
  },
  {
    sentence:
      'A development chain has no quotas, unless its operator sets `TXLEDGER_RATE_PER_TOKEN_PER_S` or `TXLEDGER_RATE_PER_IP_PER_S`: with 10 for a token the twenty-first read at once is answered 429, so a client can rehearse it.',
    unseen: 'It is about settings of the server.',
  },
  { sentence: 'With `Retry-After`, wait at least so many seconds.', unseen: 'It says what callers do.' },
  {
    sentence:
      'Before anything is removed, every answer of it carries `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for at least 180 days, and the changelog of the contract names what replaces it.',
    unseen: 'Nothing has been removed so far.',
  },
  {
    sentence:
      '**Signed bytes.** The sender signs with Ed25519 exactly these bytes: the text `txledger-transfer-v1`, one line feed (0x0A), and one JSON object with its keys in this order, without any space, and with no line feed at the end: A, F and T are the members `amount`, `from` and `to` of the request and C is the `chainId` of getChain, all as text; N is the nonce in plain decimal digits, without quotes.',
    checks: ['vectors.signing'],
  },
  {
    sentence:
      'Every nonce is used once: by a transfer that a block committed, by one that failed in a block, or by being voided.',
    checks: ['idempotency.race-for-a-nonce', 'cancel.is-final'],
  },
  {
    sentence: 'Times of blocks only grow, so from the first later block on it never executes.',
    checks: ['rpc.block-times', 'transfer.expires'],
  },
  {
    sentence:
      'Two orders of one price differ by their reference: at one nonce the second is 409 `nonce_conflict` with the hash of the first, never a replay.',
    checks: ['idempotency.reference'],
  },
  {
    sentence:
      'A transfer is paid at most once, however often it is sent, so the answer to a timeout, a lost connection, 408 and 5xx is to send the same bytes again.',
    checks: ['idempotency.replay', 'idempotency.duplicates-at-once'],
  },
  {
    sentence: 'Never sign the payment with another nonce because an answer is missing: that is a second payment.',
    unseen: 'It says what callers do.',
  },
  {
    sentence:
      '**At least once, in order.** An event is sent until the receiver answers 2xx within 15 seconds, and the next one after that, so a webhook gets events in the order of the chain; one that is down holds up no other.',
    checks: ['webhook.delivered'],
  },
  {
    sentence:
      "A subscription is answered by `{}` at once and then, under the id of its request, by an object with `query`, `data` and `events` for each event that matches, such as `tm.event='Tx' AND tx.height>4`; there are `NewBlock`, `NewBlockHeader`, `Tx` and `ValidatorSetUpdates`.",
    checks: ['rpc.websocket'],
  },
  {
    sentence:
      'Sending the same transfer again is safe: a transfer is its sender, nonce, receiver, amount, `reference` and `validUntil`, so it is paid at most once.',
    checks: ['idempotency.replay'],
  },
  {
    sentence:
      'Answers 200 when the transfer is cancelled and can never execute, and 202 when the cancel is recorded but no block has decided within the wait: 10 s, or as long as `Prefer: wait=N` says.',
    checks: ['cancel.is-final', 'cancel.no-wait'],
  },
  { sentence: "The holder of the sender's key always may, by submitCancel.", checks: ['cancel.signed'] },
  {
    sentence:
      '`txHash` of the receipt says which, so compare it with the hash that was asked for, and never take a receipt alone for a payment: read what it proves.',
    checks: ['receipt.cancelled'],
  },
  {
    sentence:
      'Where the statement is behind the chain the answer waits up to five seconds for it and is 503 `engine_unavailable` after that; it is never short.',
    checks: ['statement.adds-up'],
  },
  { sentence: 'An event is there once its block is settled and never changes.', checks: ['event.pages'] },
  {
    sentence:
      'The secret before signs too for `overlapSeconds`, so that receivers never see a message that they cannot verify.',
    checks: ['webhook.again'],
  },
  {
    sentence:
      'Sends a message of type `webhook.test`, once and beside the events. 202 means that it will be sent; listWebhookDeliveries tells what became of it.',
    checks: ['webhook.again'],
  },
  {
    sentence: 'Sent to webhooks whose filters match, in the order of the chain, at least once.',
    checks: ['webhook.delivered'],
  },
  {
    sentence: 'It can never move any more.',
    unseen: 'The service refuses what would fail in a block, so no caller can make a transfer fail.',
  },
  {
    sentence: 'Sent once for each call of testWebhook, whatever the filters say.',
    checks: ['webhook.again', 'webhook.rotations'],
  },
  { sentence: 'Only transfers with exactly this reference.', checks: ['list.reference-exact'] },
  { sentence: 'It is optional: a transfer is paid at most once without it too.', checks: ['idempotency.replay'] },
  { sentence: 'Only events about transfers with exactly this reference.', checks: ['list.reference-exact'] },
  { sentence: 'How many the page holds at most: 30 when left out, never more than 100.', checks: ['rpc.page-bounds'] },
  {
    sentence: 'How many transactions: 30 when left out, never more than 100.',
    unseen: 'How many transactions wait in a mempool at a moment cannot be arranged from outside.',
  },
  {
    sentence:
      '`pending` is the only status that changes; the others are facts on the chain and final: `committed` (the money moved), `failed` (it can never move any more; the reason says why), `cancelled` (its nonce was voided before a block executed it) and `expired` (voided by this service because it stayed pending past its `validUntil` or its time to live).',
    checks: ['cancel.is-final', 'idempotency.replay', 'transfer.expires'],
  },
  {
    sentence:
      'A sum of money as a decimal string of integer minor units, at least 1 and at most 2^128-1 (340282366920938463463374607431768211455).',
    checks: ['transfer.amount-bounds'],
  },
  { sentence: 'A block whose time is later never does.', checks: ['transfer.expires'] },
  {
    sentence:
      '`waiting_for_nonce` (an earlier nonce of the sender has not been used yet), `broadcast` (handed to the chain, to be decided by a block), `cancel_requested` (a cancel is under way) or `validity_passed` (a block is later than its `validUntil`, so it never executes; the service voids its nonce and it ends `expired`).',
    checks: ['transfer.acknowledged', 'transfer.expires'],
  },
  { sentence: 'Always `pending`.', checks: ['contract.answers'] },
  { sentence: 'Always `committed`.', checks: ['contract.answers'] },
  {
    sentence: 'A transfer that can never move money any more.',
    unseen: 'The service refuses what would fail in a block, so no caller can make a transfer fail.',
  },
  {
    sentence: 'Always `failed`.',
    unseen: 'The service refuses what would fail in a block, so no caller can make a transfer fail.',
  },
  { sentence: 'Always `cancelled`.', checks: ['contract.answers'] },
  { sentence: 'Always `expired`.', checks: ['transfer.expires'] },
  {
    sentence: 'Send UTF-8 without a byte order mark, each key once, integers in plain decimal notation.',
    checks: ['json.duplicate-key', 'json.byte-order-mark', 'json.exponent'],
  },
  {
    sentence: 'An amount over 2^128-1 and a cursor that this service never made are such cases.',
    checks: ['transfer.amount-bounds'],
  },
  {
    sentence: 'To learn whether a transfer was accepted, send it again: that never pays twice.',
    checks: ['idempotency.replay'],
  },
  {
    sentence: 'A rotation with overlapSeconds 0 is never refused: it ends every earlier secret.',
    checks: ['webhook.rotations'],
  },
  {
    sentence: "Send at least that amount, or have the receiver's account opened first.",
    unseen: 'It takes a chain whose genesis file asks for an opening amount.',
  },
  { sentence: 'Answers always carry upper case.', checks: ['transfer.acknowledged'] },
  {
    sentence: 'When it happened, as this history tells it: never before the entry above.',
    checks: ['transfer.history'],
  },
  { sentence: 'What happened to the transfer, earliest first, each event at most once.', checks: ['transfer.history'] },
  {
    sentence: 'A transfer that can never move money any more, with its history.',
    unseen: 'The service refuses what would fail in a block, so no caller can make a transfer fail.',
  },
  {
    sentence:
      'The name of a chain, part of everything signed for it, so that a signature for one chain never verifies on another.',
    checks: ['transfer.wrong-chain'],
  },
  { sentence: 'It never runs backwards along a statement.', checks: ['statement.adds-up'] },
  {
    sentence:
      'What became of a transfer: `transaction.committed` (the money moved), `transaction.failed` (it can never move any more), `transaction.cancelled` (its nonce was voided on request) or `transaction.expired` (voided by this service after its `validUntil` or its time to live).',
    checks: ['event.pages'],
  },
  {
    sentence:
      'What a block decided: `committed` (the money moved), `failed` (it can never move any more), `cancelled` (the nonce was voided before a block executed the transfer) or `expired` (voided by this service because it stayed pending past its `validUntil` or its time to live).',
    checks: ['event.pages'],
  },
  {
    sentence:
      'When a cancel voids a nonce and this service never saw the transfer that it names, there is an event too: it has what the cancel says, `txHash`, `from` and `nonce`, and neither `to` nor `amount`.',
    checks: ['event.unseen'],
  },
  { sentence: 'Absent when this service never saw the transfer.', checks: ['event.unseen'] },
  { sentence: 'Its secret is never shown again.', checks: ['webhook.life'] },
  {
    sentence:
      '`enabled` starts them again at once, from the `position` of the webhook on unless `resumeFrom` says otherwise, so nothing is missed.',
    checks: ['webhook.resumed'],
  },
  {
    sentence:
      'How long the secret from before signs too, so that receivers can be given the new one meanwhile: a message then has a signature by each. 0 ends every earlier secret at once.',
    checks: ['webhook.rotations'],
  },
  {
    sentence: 'Absent when there was none, and always where the receiver is a private target that the operator allows.',
    unseen: 'Which private targets an operator allows is not told.',
  },
  {
    sentence: 'Units of cost a second; those of two seconds may be used at once.',
    unseen: 'What applies is for the operator to set, and using up a quota would take it from others.',
  },
  {
    sentence: 'For how long the token before still holds, unless it ends before that anyway. 0 ends it at once.',
    checks: ['access.tokens'],
  },
  {
    sentence: 'An amount is always a whole number of the smallest unit; `scale` says how to show it.',
    checks: ['transfer.amount-bounds'],
  },
  { sentence: 'It is chosen once, in the genesis of the chain.', unseen: 'Another genesis file is another chain.' },
  {
    sentence:
      'The least amount, in minor units, that opens an account: a transfer to an address that has no account yet moves at least so much.',
    unseen: 'It takes a chain whose genesis file asks for an opening amount.',
  },
  { sentence: 'Always `ok`; a process that is not alive does not answer.', checks: ['documents.readiness'] },
  { sentence: 'Every check, each exactly once, whether it passed or not.', checks: ['documents.readiness'] },
  { sentence: 'Always `ready`.', checks: ['documents.readiness'] },
  { sentence: 'Always -1: a request that is not JSON-RPC has no id.', checks: ['rpc.status'] },
  { sentence: 'Always the empty string.', checks: ['rpc.constants'] },
  { sentence: 'Always 0.', checks: ['rpc.constants'] },
  {
    sentence: 'Each proof of misbehaviour; empty almost always.',
    unseen: 'It says almost always: evidence is of validators that sign twice.',
  },
  { sentence: 'From which block on votes are extended; 0 is never.', unseen: 'It says what 0 means.' },
  {
    sentence: 'Blocks of this chain never use it: governance of the chain does.',
    unseen: 'It says who does not use a parameter.',
  },
  {
    sentence: 'How the consensus parameters change; null, as the ledger never changes them.',
    checks: ['rpc.constants'],
  },
  { sentence: '`broadcast_tx_async` does not wait for the check and always says 0.', checks: ['rpc.broadcast-forms'] },
  { sentence: 'Always null: unconfirmed_txs lists them.', checks: ['rpc.constants'] },
  {
    sentence: 'How many: 30 when left out, never more than 100.',
    unseen: 'How many transactions wait in a mempool at a moment cannot be arranged from outside.',
  },
  { sentence: 'Always `webhook.test`.', checks: ['webhook.again'] },
  { sentence: 'Always `webhook.disabled`.', checks: ['webhook.resumed'] },
  { sentence: 'The transfer is cancelled and can never execute.', checks: ['cancel.is-final'] },
  {
    sentence: 'The test message will be sent at once; listWebhookDeliveries tells what became of it.',
    checks: ['webhook.again'],
  },
];
