/** Made from spec/ by `npm run generate`. Do not edit: change spec/ and generate again. */

export interface paths {
    "/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfers, newest first
         * @description Lists transfers page by page, from the one that this service saw last to the one that it saw first. Filters are joined by "and". The chain is public: every token with the scope sees every transfer. Cancels are not listed. To find the transfers with one nonce, send `from` and `nonce`. An unknown or repeated query parameter is 400. A body is ignored.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Submit a signed transfer
         * @description Answers 202 when the transfer is accepted but not committed (after `Prefer: wait=N` read `status`: it may also have failed, been cancelled or expired), 201 only when a block committed it within that wait, and 200 when the same transfer was known already, whatever its status. Accepted means durable (synced to disk), with signature, nonce and funds checked; a block then decides. Sending the same transfer again is safe: a transfer is its sender, nonce, receiver, amount, `reference` and `validUntil`, so it is paid at most once. The tag Transactions defines the signed bytes, the raw bytes and the hash. Rules are judged in a fixed order and the first that fails answers: host, origin, token, scope, rate, media type, size, JSON, schema, addresses, signature, txHash, Idempotency-Key, replay, conflict, nonce too low, void, too high, validity, funds, opening minimum.
         */
        post: operations["submitTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit up to 1,000 signed transfers
         * @description Judges each transfer as submitTransaction does and answers 200 with an outcome for each, in the order of the request: read `outcome` of every result, because the answer is 200 although transfers are refused. `accepted` is as durable as 202 of a single transfer: it is synced to disk before the answer. The batch is not atomic: a refused transfer holds up no other one, except that later nonces of its account wait behind it. The transfers of one account are judged in the order of the array, each after those before it, so nonces 0, 1, 2 in one batch are accepted. A fault of one transfer (schema, address, signature, nonce, funds) refuses that transfer alone; a fault of the envelope (a body that is no JSON, no array, an empty or a too long one, an unknown member beside it) refuses the whole batch with 400. After a lost answer, 408 or 5xx, send the same batch again: what was accepted is answered as `replayed` and nothing is paid twice. 503 tells that no transfer of the batch was accepted, as far as is known. There is no wait for a block and no Idempotency-Key here: `Prefer` and `Idempotency-Key` are ignored. A quota is charged one unit, one for every four transfers and one for every further 16 KiB of the body.
         */
        post: operations["submitTransactionBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge a transfer without submitting it
         * @description Tells what submitTransaction would answer for this transfer now, and changes nothing: no transfer is taken in, no nonce is held and no Idempotency-Key is bound. It is judged by the same rules in the same order against the same state, so read `outcome`: the answer is 200 although the transfer would be refused. Only what is no transfer at all is 400, as there. The signature may be absent: then everything but signature and hash is judged, and `signatureStatus` is `not_judged`. `signBytes` are the bytes to sign, for comparison with those of one's own program. `Prefer` and `Idempotency-Key` are ignored. It needs the scope of submitting, because it answers by the rights of the token's owner. 503 tells that nothing was judged.
         */
        post: operations["checkTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{txHash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transfer and its history
         * @description Answers with one transfer and what happened to it, when and why. It is found under the hash first seen here and under the one a block executed it as. A body is ignored.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending transfer
         * @description Answers 200 when the transfer is cancelled and can never execute, and 202 when the cancel is recorded but no block has decided within the wait: 10 s, or as long as `Prefer: wait=N` says. A cancel voids the nonce of a pending transfer on the chain, so that neither these bytes nor any others with that nonce can ever execute. It is recorded durably and cannot be taken back. Only the owner that the sender's address is bound to may cancel it, or, while it is bound to none, the owner that submitted the transfer first; or a token that also has the scope `transactions:cancel-any`. The holder of the sender's key always may, by submitCancel. A body is ignored.
         */
        delete: operations["cancelTransaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{txHash}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending transfer by its sender's signature
         * @description Answers 200 when the transfer is cancelled and can never execute, and 202 when the cancel is recorded but no block has decided within the wait: 10 s, or as long as `Prefer: wait=N` says. It is cancelTransaction for the holder of the sender's key: the signature is the right, whichever owner submitted the transfer and whichever owner the address is bound to. The sender signs the sign bytes of a cancel, which schema CancelInput gives; when they differ the answer is 422 `invalid_signature` with the exact bytes in `signBytes`. The cancel is recorded durably and cannot be taken back; asking again is safe.
         */
        post: operations["submitCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{txHash}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a transfer
         * @description Answers with one document that proves what the chain decided about a transfer, to anyone who trusts the chain's genesis file, its validators or the hash of one of its blocks, and without this service: the schema `Receipt` says step by step how it is verified offline. It is the receipt of the transaction that decided the transfer: of the transfer itself when a block executed it, `committed` or `failed`; of the cancel that voided its nonce when it is `cancelled` or `expired`; of the other transaction, when one took its nonce (`nonce_superseded`). `txHash` of the receipt says which, so compare it with the hash that was asked for, and never take a receipt alone for a payment: read what it proves. The results of a block are committed to by the block after it, so the answer is held until that exists: 10 s, or as long as `Prefer: wait=N` says, which is also how long a pending transfer is waited for. After that it is 409 `receipt_not_ready`, and the same request succeeds later. A quota is charged five units. A body is ignored.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get up to 100 accounts as of one moment
         * @description Tells of each address what getAccount tells, all as of one moment: no block and no transfer comes between two of them, so their balances can be added up. The accounts are in the order of the request. An address that is not one of this chain is 422 `invalid_address`, whose `errors` say which. A quota is charged one unit for every four addresses. A body is ignored.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get balance and next nonce of an account
         * @description Tells what is needed to sign the next transfer of an account, as of the last block applied by this service. An address that no block has named yet is an empty account, not a 404. With `height` it tells balance and nonce after that block, the same at any later time; a height that the chain has not reached is 404. A body is ignored.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{address}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what moved an account's money
         * @description The statement of an account: every committed transfer to it or from it, in the order of the chain, newest first unless `order` says otherwise, each with the balance after it. A transfer to oneself is two entries, out and in. What genesis gave is the opening balance and no entry, and neither is a transfer that failed: at every height the opening balance and the entries up to it add up to the balance that getAccount tells for that `height`.
         *     A transfer that any answer of this service has shown as committed is in the statement. Where the statement is behind the chain the answer waits up to five seconds for it and is 503 `engine_unavailable` after that; it is never short.
         *     With `Accept: text/csv` the answer is the whole range as one document that is sent as it is made, whatever `limit` says; `cursor` is 400 then. It ends at the last block that was there when the request came. An answer that is cut off ends without its last chunk, so a client that reads HTTP correctly reports it as failed. A body is ignored.
         */
        get: operations["listEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or stream what blocks decided about transfers
         * @description The event log: every transfer that a block decided, in the order of the chain. An event is there once its block is settled and never changes. Its `id` is the same on every gateway and after every restart, so a caller that keeps the last `id` it handled misses nothing: it asks for what comes `after` that.
         *     **Pages.** Newest first, unless `after` or `order=asc` is given. To follow the log, ask with `after` and take `nextCursor` until it is absent; everything up to the page's `height` was seen then, and `after` with that height is the next question. A page with filters may hold fewer events than `limit`, or none, and have a `nextCursor` all the same: one page reads a bounded part of the log. Pages take whole blocks into account, so what is added meanwhile moves nothing.
         *     **A stream.** With `Accept: text/event-stream` the answer is a stream of server-sent events that begins behind `Last-Event-ID` or `after`, without either now, and stays open. `limit`, `cursor` and `order` are 400 then. It begins with `retry`, a comment `chain ID GENESIS` with the chain's id and the hash of its genesis file, as `getChain` has them, and a comment `height H`. Every 15 seconds a comment `height H` says that all events up to block H were sent or filtered out; H is at most that of the last block. A token may have 1,000 streams open, an address as many, the service 4,000; one more is 429 `rate_limited`. Opening one is charged five units. A stream ends when the service stops, and within five seconds when the token is no longer valid: connect again with the last `id`.
         *     A place more than 100 blocks ahead of the last one, in `after`, `Last-Event-ID` or `cursor`, is 409 `place_ahead`: it is of another chain, or of a time that a restored backup does not have.
         *     All filters that are given must match. A body is ignored.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks of the token's owner
         * @description All of them, oldest first, without their secrets. A body is ignored.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make a webhook
         * @description Makes a webhook of the token's owner, enabled, and answers 201 with its secret, which no other answer shows. It gets the events of blocks after the chain's last one; replayWebhook sends earlier ones. An owner has at most 20 webhooks (409 `too_many_webhooks`), each with another URL (409 `webhook_exists`), so sending this again after a lost answer makes no second one: take the id from the problem or from listWebhooks, and get a secret by rotateWebhookSecret. Events show payments of every owner, so the token needs `transactions:read` too.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one webhook
         * @description A body is ignored.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes it with its log and what waits to be sent to it. A message that is on its way may still arrive. Deleted again it is 404. A body is ignored.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Changes what the body names and leaves the rest. Of two requests at one time that name different members both count. The place in the event log stays: after a change of filters, what was passed over is not sent again. Events show payments of every owner, so the token needs `transactions:read` too.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook
         * @description Makes a new secret, which signs from now on, and answers with it. The secret before signs too for `overlapSeconds`, so that receivers never see a message that they cannot verify. Up to three earlier secrets can be in their overlap at a time; one more is 409 `webhook_busy`. Sent again after a lost answer it makes another secret; those before sign until their time.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Sends a message of type `webhook.test`, once and beside the events. 202 means that it will be sent; listWebhookDeliveries tells what became of it. Up to 10 tests wait at a time; one more is 409 `webhook_busy`. Sent again this sends another message. A body is ignored.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to deliver
         * @description The log of a webhook, newest attempt first: what was sent, when, and what became of it. A page ends at 1 MiB of text, so it may hold fewer attempts than `limit` and have a `nextCursor`. A body is ignored.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends the events of a range again, those that match the filters as they are now, in the order of the chain, beside what is new. They have the `webhook-id` that they had, so a receiver that keeps the ids acts on none twice. One replay of a webhook is under way at a time; another is 409 `webhook_busy`. Events show payments of every owner, so the token needs `transactions:read` too.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description The opaque tokens of this service, newest first, without their secrets; those that are revoked or have expired only with `state=all`. JWTs of the operator's issuer are not kept, so they are not listed. A body is ignored.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Make a token
         * @description Makes a token of an owner and answers 201 with its text, which no other answer shows. It can have no scope that the token of the request lacks: 403 `insufficient_scope` names what is missing. It is on record in the audit trail, and outlives the token that made it. Sent again after a lost answer this makes another token: find the first one with listTokens and revoke it.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one token
         * @description What it is for and until when it holds, without its secret. A body is ignored.
         */
        get: operations["getToken"];
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description From then on the token is refused, in every gateway within 5 seconds. Any token can be revoked, the one of this request too: taking away gives no one a right. Where none with `access:manage` is left, `txledger token create` makes one. Revoked again it is 404. A body is ignored.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        /**
         * Change the limits or the end of a token
         * @description Changes what the body names and leaves the rest; every gateway follows within 5 seconds. A token that is revoked or has expired stays so (404), and one with scopes that the token of the request lacks is not changed (403).
         */
        patch: operations["updateToken"];
        trace?: never;
    };
    "/access/tokens/{tokenId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a token by a new one
         * @description Makes a token of the same owner with the same scopes and limits, and answers with its text. The token before holds for `overlapSeconds` more, so that programs can change to the new one. Of a token that has scopes which the token of the request lacks it is 403, of one that is revoked or has expired 404. Sent again after a lost answer it makes another token.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the addresses that are bound to an owner
         * @description In the order of the addresses. For an address that is listed, only tokens of its owner submit and cancel. A body is ignored.
         */
        get: operations["listBoundAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access/addresses/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Bind an address to an owner
         * @description From then on only tokens of this owner submit and cancel for the address. Binding it to the same owner again changes nothing but `boundAt`. An address that is bound to another owner is 403 `not_submitter`, unless the body says `replace`.
         */
        put: operations["bindAddress"];
        post?: never;
        /**
         * Free an address
         * @description From then on tokens of every owner submit for the address again. An address that is bound to no owner is 404. A body is ignored.
         */
        delete: operations["unbindAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the facts of the chain
         * @description Tells the chain id, the address prefix, the height and the genesis of the chain behind this service. It needs no token. A body is ignored.
         */
        get: operations["getChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the process is up
         * @description Answers as long as the process runs, also while it is draining, and tells which version it is. A supervisor restarts the process when this does not answer. It is not rate limited, and answers under any name. A body is ignored.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the service can take work
         * @description Checks the chain, the age of the last block, the database and whether the service is draining. A load balancer sends no requests while this answers 503. A service that is about to stop answers 503 here first, and serves everything else until its delay is over. It is not rate limited, and answers under any name. A body is ignored.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metrics for Prometheus
         * @description The metrics of this process in the Prometheus text format, or as OpenMetrics where `Accept` prefers that. The limits of the client address hold; it answers under any name. A body is ignored.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/api-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the links to everything of this API
         * @description The API catalogue (RFC 9727): a set of links (RFC 9264) to the contract, its documents, its changelog and the probes of this service. The links are absolute where the operator has named the public address of the service, and otherwise relative to this document. A body is ignored.
         */
        get: operations["getApiCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this contract as JSON
         * @description The contract that the running service validates requests against, in one JSON document. A body is ignored.
         */
        get: operations["getOpenapiJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this contract as YAML
         * @description The contract that the running service validates requests against, in one YAML document. A body is ignored.
         */
        get: operations["getOpenapiYaml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.client.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this contract for generators of clients
         * @description The contract without the operations under /rpc, for which clients exist, as one JSON document for generators of clients: each thing has one name and one schema with the members of all its kinds, every error is the default answer, and bodies are where they are used. It declares the same paths, parameters and requests as the contract, and every answer that fits the contract fits it. A body is ignored.
         */
        get: operations["getOpenapiClientJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call methods by JSON-RPC
         * @description Carries out one request of JSON-RPC 2.0 or a batch of up to 10, and answers as CometBFT v0.38 does, in words and codes: what a method refuses is a success of HTTP. Every method under `/rpc/{method}` can be called. Parameters that a method does not know are ignored. Broadcasting needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC, and reading one with `transactions:read`, unless the operator has opened reads; without it the entry is answered by error -32001, and so is a transfer from an address that the operator bound to another owner. A body that is not JSON is 400, where CometBFT says 500; so is one that is nested deeper than 32 levels or has more than 16,384 values (-32600).
         */
        post: operations["callRpc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/abci_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the ledger who it is
         * @description Tells name, version and state of the ledger behind the chain. A body is ignored.
         */
        get: operations["getRpcAbciInfo"];
        put?: never;
        /**
         * Ask the ledger who it is, with a JSON body
         * @description The same as getRpcAbciInfo, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcAbciInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/abci_query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask the ledger for a value
         * @description Reads the state of the ledger, with a proof against the app_hash of the header one above the height of the answer if asked for. What the ledger cannot answer is a success with a code other than 0. A body is ignored.
         */
        get: operations["getRpcAbciQuery"];
        put?: never;
        /**
         * Ask the ledger for a value, with a JSON body
         * @description The same as getRpcAbciQuery, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcAbciQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a block
         * @description Tells a block with its transactions and the signatures under the block before. Before the first block it is null. A body is ignored.
         */
        get: operations["getRpcBlock"];
        put?: never;
        /**
         * Get a block, with a JSON body
         * @description The same as getRpcBlock, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcBlock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/block_by_hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a block by its hash
         * @description Tells the block with this hash. A hash that no block has is a success with `block` null, as CometBFT answers. A body is ignored.
         */
        get: operations["getRpcBlockByHash"];
        put?: never;
        /**
         * Get a block by its hash, with a JSON body
         * @description The same as getRpcBlockByHash, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcBlockByHash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/block_results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a block
         * @description Tells what became of the transactions of a block. A body is ignored.
         */
        get: operations["getRpcBlockResults"];
        put?: never;
        /**
         * Get the results of a block, with a JSON body
         * @description The same as getRpcBlockResults, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcBlockResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/block_search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search blocks
         * @description Finds blocks by their height and events. A search reads an index and takes at most 2 s; a page costs the same however long the chain is. A page ends early at 1 MiB of text; its `next` then says where it continues. A body is ignored.
         */
        get: operations["getRpcBlockSearch"];
        put?: never;
        /**
         * Search blocks, with a JSON body
         * @description The same as getRpcBlockSearch, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcBlockSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/blockchain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the headers of a range of blocks
         * @description Tells headers from the highest block of the range down, at most 20. A body is ignored.
         */
        get: operations["getRpcBlockchain"];
        put?: never;
        /**
         * Get the headers of a range of blocks, with a JSON body
         * @description The same as getRpcBlockchain, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcBlockchain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/broadcast_evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Broadcast evidence of misbehaviour
         * @description Takes in proof that a validator misbehaved. A chain of one validator takes in none and answers 400. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC. A body is ignored.
         */
        get: operations["getRpcBroadcastEvidence"];
        put?: never;
        /**
         * Broadcast evidence of misbehaviour, with a JSON body
         * @description The same as getRpcBroadcastEvidence, with the parameters in a JSON object as JSON-RPC writes them. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC.
         */
        post: operations["postRpcBroadcastEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/broadcast_tx_async": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Broadcast a transaction without waiting for the check
         * @description Takes a raw transaction (the raw bytes of the tag RPC Transactions, as `0x` hex or a quoted string) and answers before it is checked. The transaction is followed like one submitted by submitTransaction: it is listed, and it settles. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC. A transfer from an address that the operator bound to another owner is refused (`not_submitter`) before the mempool gets it, with or without a token. A body is ignored.
         */
        get: operations["getRpcBroadcastTxAsync"];
        put?: never;
        /**
         * Broadcast a transaction without waiting for the check, with a JSON body
         * @description The same as getRpcBroadcastTxAsync, with the parameters in a JSON object as JSON-RPC writes them: `tx` is the raw bytes in base64. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC.
         */
        post: operations["postRpcBroadcastTxAsync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/broadcast_tx_commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Broadcast a transaction and wait for its block
         * @description Takes a raw transaction (the raw bytes of the tag RPC Transactions, as `0x` hex or a quoted string) and answers what its block says, or what the mempool says if that refuses it. When no block has decided within 10 s the answer is 503 with the txHash in `data`: the transaction may still be executed, so ask for it. The transaction is followed like one submitted by submitTransaction: it is listed, and it settles. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC. A transfer from an address that the operator bound to another owner is refused (`not_submitter`) before the mempool gets it, with or without a token. A body is ignored.
         */
        get: operations["getRpcBroadcastTxCommit"];
        put?: never;
        /**
         * Broadcast a transaction and wait for its block, with a JSON body
         * @description The same as getRpcBroadcastTxCommit, with the parameters in a JSON object as JSON-RPC writes them: `tx` is the raw bytes in base64. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC.
         */
        post: operations["postRpcBroadcastTxCommit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/broadcast_tx_sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Broadcast a transaction and wait for the check
         * @description Takes a raw transaction (the raw bytes of the tag RPC Transactions, as `0x` hex or a quoted string) and answers what the mempool says to it. A refusal is a success with a code other than 0. The transaction is followed like one submitted by submitTransaction: it is listed, and it settles. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC. A transfer from an address that the operator bound to another owner is refused (`not_submitter`) before the mempool gets it, with or without a token. A body is ignored.
         */
        get: operations["getRpcBroadcastTxSync"];
        put?: never;
        /**
         * Broadcast a transaction and wait for the check, with a JSON body
         * @description The same as getRpcBroadcastTxSync, with the parameters in a JSON object as JSON-RPC writes them: `tx` is the raw bytes in base64. It needs a token with the scope `rpc:broadcast`, unless the operator has opened the RPC.
         */
        post: operations["postRpcBroadcastTxSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/check_tx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a transaction
         * @description Tells what the mempool would say to a transaction, without taking it in. A body is ignored.
         */
        get: operations["getRpcCheckTx"];
        put?: never;
        /**
         * Check a transaction, with a JSON body
         * @description The same as getRpcCheckTx, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcCheckTx"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a header and its signatures
         * @description Tells what a light client verifies: the header of a block and the signatures under it. Before the first block `result` is null. A body is ignored.
         */
        get: operations["getRpcCommit"];
        put?: never;
        /**
         * Get a header and its signatures, with a JSON body
         * @description The same as getRpcCommit, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcCommit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/consensus_params": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the parameters of consensus
         * @description Tells the parameters of consensus that hold for a block. Without a height it is the next one to be made. A body is ignored.
         */
        get: operations["getRpcConsensusParams"];
        put?: never;
        /**
         * Get the parameters of consensus, with a JSON body
         * @description The same as getRpcConsensusParams, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcConsensusParams"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/consensus_state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of consensus in short
         * @description Shows the state of consensus. For people who watch a chain, not for programs. A body is ignored.
         */
        get: operations["getRpcConsensusState"];
        put?: never;
        /**
         * Get the state of consensus in short, with a JSON body
         * @description The same as getRpcConsensusState, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcConsensusState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/dump_consensus_state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of consensus in full
         * @description Shows the state of consensus, with what is known of each peer. For people who watch a chain, not for programs. A body is ignored.
         */
        get: operations["getRpcDumpConsensusState"];
        put?: never;
        /**
         * Get the state of consensus in full, with a JSON body
         * @description The same as getRpcDumpConsensusState, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcDumpConsensusState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/genesis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the genesis file
         * @description Tells how the chain began. A genesis file of more than 1 MiB (16 MiB where nodes of a network answer) is 400: genesis_chunked tells it in pieces. A body is ignored.
         */
        get: operations["getRpcGenesis"];
        put?: never;
        /**
         * Get the genesis file, with a JSON body
         * @description The same as getRpcGenesis, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcGenesis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/genesis_chunked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a piece of the genesis file
         * @description Tells the genesis file in pieces. The pieces joined are the file. A body is ignored.
         */
        get: operations["getRpcGenesisChunked"];
        put?: never;
        /**
         * Get a piece of the genesis file, with a JSON body
         * @description The same as getRpcGenesisChunked, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcGenesisChunked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/header": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a header
         * @description Tells the header of a block. Before the first block it is null. A body is ignored.
         */
        get: operations["getRpcHeader"];
        put?: never;
        /**
         * Get a header, with a JSON body
         * @description The same as getRpcHeader, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcHeader"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/header_by_hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a header by its hash
         * @description Tells the header of the block with this hash. A hash that no block has is a success with `header` null, as CometBFT answers. A body is ignored.
         */
        get: operations["getRpcHeaderByHash"];
        put?: never;
        /**
         * Get a header by its hash, with a JSON body
         * @description The same as getRpcHeaderByHash, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcHeaderByHash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the node answers
         * @description Answers an empty object. It says nothing about whether blocks are being made: getReadiness of this API does. A body is ignored.
         */
        get: operations["getRpcHealth"];
        put?: never;
        /**
         * Ask whether the node answers, with a JSON body
         * @description The same as getRpcHealth, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcHealth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/net_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the peers
         * @description Tells the peers of the node; none on a chain of one node. A body is ignored.
         */
        get: operations["getRpcNetInfo"];
        put?: never;
        /**
         * Get the peers, with a JSON body
         * @description The same as getRpcNetInfo, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcNetInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/num_unconfirmed_txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the transactions in the mempool
         * @description Tells how many transactions wait for a block, and their size. A body is ignored.
         */
        get: operations["getRpcNumUnconfirmedTxs"];
        put?: never;
        /**
         * Count the transactions in the mempool, with a JSON body
         * @description The same as getRpcNumUnconfirmedTxs, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcNumUnconfirmedTxs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the node
         * @description Tells the node, how far it is, and the validator that it signs for. A body is ignored.
         */
        get: operations["getRpcStatus"];
        put?: never;
        /**
         * Get the state of the node, with a JSON body
         * @description The same as getRpcStatus, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/tx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction in a block
         * @description Tells a transaction that a block has executed, with a proof against the data_hash of the header if asked for. One that is pending is 404 here: getTransaction of this API knows it. A body is ignored.
         */
        get: operations["getRpcTx"];
        put?: never;
        /**
         * Get a transaction in a block, with a JSON body
         * @description The same as getRpcTx, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcTx"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/tx_search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search transactions
         * @description Finds transactions in blocks by hash, height and events. A search reads an index and takes at most 2 s; a page costs the same however long the chain is. A search that would look at the events of more than 10,000 transactions, one by one, is refused and says how to narrow it. A page ends early at 1 MiB of text; its `next` then says where it continues. A body is ignored.
         */
        get: operations["getRpcTxSearch"];
        put?: never;
        /**
         * Search transactions, with a JSON body
         * @description The same as getRpcTxSearch, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcTxSearch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/unconfirmed_txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions in the mempool
         * @description Tells transactions that wait for a block, in the order in which they came. A body is ignored.
         */
        get: operations["getRpcUnconfirmedTxs"];
        put?: never;
        /**
         * List the transactions in the mempool, with a JSON body
         * @description The same as getRpcUnconfirmedTxs, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcUnconfirmedTxs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rpc/validators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the validators
         * @description Tells the validators of a block, page by page. Without a height it is the next one to be made. A body is ignored.
         */
        get: operations["getRpcValidators"];
        put?: never;
        /**
         * List the validators, with a JSON body
         * @description The same as getRpcValidators, with the parameters in a JSON object as JSON-RPC writes them.
         */
        post: operations["postRpcValidators"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "transaction.committed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer was committed
         * @description A block executed it, and the money moved. Sent to webhooks whose filters match, in the order of the chain, at least once.
         */
        post: operations["receiveCommittedTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer failed
         * @description It can never move any more. Sent to webhooks whose filters match, in the order of the chain, at least once.
         */
        post: operations["receiveFailedTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer was cancelled
         * @description A block voided its nonce on request. Sent to webhooks whose filters match, in the order of the chain, at least once.
         */
        post: operations["receiveCancelledTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transfer expired
         * @description A block voided its nonce because its time was over. Sent to webhooks whose filters match, in the order of the chain, at least once.
         */
        post: operations["receiveExpiredTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test
         * @description Sent once for each call of testWebhook, whatever the filters say.
         */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another webhook was disabled
         * @description Sent to the owner's other webhooks, whatever their filters say, when this service disables one: after three days in which nothing was taken, or after a 410.
         */
        post: operations["receiveWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Format: int32
         * @description How many transfers a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.
         * @default 10
         * @example 10
         */
        PageLimit: number;
        /**
         * @description A place in the list, opaque to callers (base64url without padding). It stays valid while the list grows.
         * @example AAAAAAAAAco
         */
        Cursor: string;
        /**
         * @description A status that a transfer can have now; TransactionStatus says what each means.
         * @example committed
         * @enum {string}
         */
        TransactionStatusFilter: "pending" | "committed" | "failed" | "cancelled" | "expired";
        /**
         * @description An account address: bech32m (BIP-350) of the account's 32-byte Ed25519 public key, in lower case, with the 4 padding bits zero. The prefix is `txl` on a production chain and `txlt` on a development or test chain. The pattern covers prefix, alphabet, case and length (a violation is 400 `invalid_request`); the checksum, the prefix of this chain and the public key itself are checked after it (422 `invalid_address`).
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        Address: string;
        /**
         * Format: int64
         * @description The number of a transfer among those of its sender, counted from 0 without gaps. It runs to 2^53-1 so that JSON numbers stay exact in every language. Only the plain integer notation is accepted: `1.0`, `1e3` and `-0` are 400.
         * @example 0
         */
        Nonce: number;
        /**
         * @description The payer's own name for the payment, such as the number of an order or an invoice: 1 to 140 printable ASCII characters other than `"` and `\`, without a space at either end. It is signed and public.
         * @example INV 2026/17
         */
        Reference: string;
        /**
         * @description The name of one request in logs and answers.
         * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
         */
        RequestId: string;
        /**
         * @description What kind of problem it is, for programs to act on. The list may grow with a minor version of this contract: treat a code that you do not know by the status of the answer and by `retriable`.
         * @example nonce_conflict
         */
        ProblemCode: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "nonce_too_low" | "nonce_conflict" | "nonce_cancelled" | "already_settled" | "receipt_not_ready" | "height_not_reached" | "place_ahead" | "webhook_exists" | "too_many_webhooks" | "webhook_disabled" | "webhook_busy" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "invalid_signature" | "tx_hash_mismatch" | "insufficient_funds" | "nonce_too_high" | "idempotency_key_reused" | "validity_passed" | "below_opening_minimum" | "webhook_url_refused" | "rate_limited" | "too_many_pending" | "headers_too_large" | "internal" | "pool_full" | "engine_unavailable" | "store_unavailable" | "shutting_down" | "server_busy";
        /**
         * @description The identity of a transaction, in this API, in the RPC and in blocks: the SHA-256 of its raw bytes (the tag Transactions defines them), as 64 upper-case hex digits.
         * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
         */
        TxHash: string;
        /** @description One thing wrong with a request. */
        FieldError: {
            /**
             * @description Where it is wrong. In the body, a JSON pointer (RFC 6901) such as `/amount`, empty for the body as a whole. In a parameter, `#/query/{name}`, `#/path/{name}` or `#/header/{name}`.
             * @example /amount
             */
            pointer: string;
            /**
             * @description What is wrong and what was expected, in a sentence for people.
             * @example An amount is a string of decimal digits from 1 to 2^128-1, in minor units, without sign, point, exponent or leading zero.
             */
            message: string;
        };
        /** @description An error, as RFC 9457 describes problems of HTTP APIs. Every error of this API has these members, also one with a code that a later version adds; some codes have further members. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Where this kind of problem is explained: a reference relative to the URL of the request (RFC 9457 section 3.1.1), so that it is right behind a path prefix too, or absolute where the operator named the public URL. It ends in the code; programs read `code`. It begins with `/` only when the request could not be read.
             * @example ./docs/errors#nonce_conflict
             */
            type: string;
            /**
             * @description The kind of problem in a few words, the same for every occurrence of a code.
             * @example Another payment holds this nonce
             */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status of the answer, the same for every occurrence of a code.
             * @example 409
             */
            status: number;
            /**
             * @description This occurrence in a sentence or two for people, what was asked, what is wrong and what was expected. Its wording may change; programs read `code`.
             * @example Another payment holds nonce 0; it is committed. Sign this payment with nonce 1.
             */
            detail: string;
            code: components["schemas"]["ProblemCode"];
            /**
             * @description Whether the same request, sent again unchanged after `Retry-After` or a pause, can succeed without anything else being changed by the caller. The same for every occurrence of a code.
             * @example false
             */
            retriable: boolean;
            /** @description The value of the answer's `X-Request-Id` header, to be named when asking for help. */
            requestId: components["schemas"]["RequestId"];
            /** @description The transaction that the problem is about, where it is known. For `nonce_conflict` the one that holds the nonce, for `nonce_too_low` and `nonce_cancelled` the one that held it, otherwise the one of the request. */
            txHash?: components["schemas"]["TxHash"];
            /** @description Each thing that is wrong with the request, where more can be said than `detail` does. At most 16 are listed. */
            errors?: components["schemas"]["FieldError"][];
        };
        /**
         * Format: uint128
         * @description A sum of money as a decimal string of integer minor units, at least 1 and at most 2^128-1 (340282366920938463463374607431768211455). It is a string because JSON numbers are exact only up to 2^53. The format `uint128` means the upper bound, which a pattern cannot say; both are schema rules (400 `invalid_request`).
         * @example 100
         */
        Amount: string;
        /**
         * Format: int64
         * @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. A block whose time is later never does.
         * @example 1795257000
         */
        ValidUntil: number;
        /**
         * Format: date-time
         * @description A moment in UTC as RFC 3339 writes it, ending in `Z`. Times of blocks carry up to nine digits of a second (CometBFT counts nanoseconds), times of this service three.
         * @example 2026-11-21T09:30:01.250Z
         */
        Timestamp: string;
        /**
         * @description `waiting_for_nonce` (an earlier nonce of the sender has not been used yet), `broadcast` (handed to the chain, to be decided by a block), `cancel_requested` (a cancel is under way) or `validity_passed` (a block is later than its `validUntil`, so it never executes; the service voids its nonce and it ends `expired`). The list may grow with a minor version of this contract: the transfer is pending, whatever the code.
         * @example waiting_for_nonce
         */
        PendingReasonCode: "waiting_for_nonce" | "broadcast" | "cancel_requested" | "validity_passed";
        /** @description Why a transfer is still pending. */
        PendingReason: {
            code: components["schemas"]["PendingReasonCode"];
            /**
             * @description The reason in a sentence for people. Its wording may change; programs read `code`.
             * @example The transfer has nonce 5; the chain expects nonce 1 of this account next.
             */
            detail: string;
        };
        /** @description A transfer that no block has decided yet. */
        PendingTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `pending`.
             * @example pending
             * @enum {string}
             */
            status: "pending";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer is still pending. Absent before it was first handed to the chain. */
            reason?: components["schemas"]["PendingReason"];
        };
        /**
         * Format: int64
         * @description The number of a block, counted from 1.
         * @example 42
         */
        BlockHeight: number;
        /** @description A transfer that a block executed. The money moved. */
        CommittedTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `committed`.
             * @example committed
             * @enum {string}
             */
            status: "committed";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
        };
        /**
         * @description `insufficient_funds` (a block executed it without enough money in the account), `nonce_superseded` (another payment or cancel took its nonce) or `below_opening_minimum` (a block executed it when its receiver had no account, and it moved less than opens one). The list may grow with a minor version of this contract: the transfer has failed, whatever the code.
         * @example insufficient_funds
         */
        FailureReasonCode: "insufficient_funds" | "nonce_superseded" | "below_opening_minimum";
        /** @description Why a transfer failed. */
        FailureReason: {
            code: components["schemas"]["FailureReasonCode"];
            /**
             * @description The reason in a sentence for people. Its wording may change; programs read `code`.
             * @example The sender's balance at height 44 was 900.
             */
            detail: string;
            /** @description With `nonce_superseded`, the payment or cancel that took the nonce. Absent with every other code. */
            txHash?: components["schemas"]["TxHash"];
        };
        /** @description A transfer that can never move money any more. */
        FailedTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `failed`.
             * @example failed
             * @enum {string}
             */
            status: "failed";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer failed. */
            reason: components["schemas"]["FailureReason"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
        };
        /** @description A transfer whose nonce was voided on request before a block executed it. */
        CancelledTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `cancelled`.
             * @example cancelled
             * @enum {string}
             */
            status: "cancelled";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
        };
        /** @description A transfer whose nonce was voided by this service because it stayed pending past its `validUntil` or its time to live. */
        ExpiredTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `expired`.
             * @example expired
             * @enum {string}
             */
            status: "expired";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
        };
        /**
         * @description What became of a transaction. `pending` is the only status that changes; the others are facts on the chain and final: `committed` (the money moved), `failed` (it can never move any more; the reason says why), `cancelled` (its nonce was voided before a block executed it) and `expired` (voided by this service because it stayed pending past its `validUntil` or its time to live). The list may grow with a minor version of this contract: read a status that you do not know as text. It is final, and the money moved only where the status is `committed`.
         * @example committed
         */
        TransactionStatus: "pending" | "committed" | "failed" | "cancelled" | "expired";
        /** @description Why a transfer has the status that it has. */
        OtherReason: {
            /**
             * @description The reason, for programs to act on.
             * @example insufficient_funds
             */
            code: string;
            /**
             * @description The reason in a sentence for people. Its wording may change; programs read `code`.
             * @example The sender's balance at height 44 was 900.
             */
            detail: string;
        };
        /** @description A transfer whose `status` a later version of this contract added. It has what every transfer has; the other members are there where they apply. */
        OtherTransaction: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            status: components["schemas"]["TransactionStatus"];
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer has its status. */
            reason?: components["schemas"]["OtherReason"];
            /** @description The block that decided the transfer. */
            height?: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime?: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
        };
        /** @description A transfer as lists and acknowledgements tell it: `status` tells which kind it is, and a status that a later version adds is read as OtherTransaction. Nonce and signature are not part of it. A member that does not apply is absent, never null. */
        Transaction: components["schemas"]["PendingTransaction"] | components["schemas"]["CommittedTransaction"] | components["schemas"]["FailedTransaction"] | components["schemas"]["CancelledTransaction"] | components["schemas"]["ExpiredTransaction"];
        /** @description One page of the list, newest first. The pages joined are the whole list: no transfer twice, none missed, also while others are being submitted. */
        TransactionPage: {
            /** @description The transfers of this page, at most `limit` of them. */
            transactions: components["schemas"]["Transaction"][];
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /** @description A member or parameter is missing, unknown, repeated or of the wrong form, or the body is not an object. An amount over 2^128-1 and a cursor that this service never made are such cases. */
        InvalidRequestProblem: components["schemas"]["Problem"] & {
            /**
             * @example invalid_request
             * @enum {string}
             */
            code?: "invalid_request";
            /** @description Each thing that is wrong with the request. At most 16 are listed. */
            errors: components["schemas"]["FieldError"][];
        };
        /** @description An address has the right form, but its checksum is wrong (perhaps a typing error, or bech32 instead of bech32m), it belongs to another network, or its key is one that no one can safely own. */
        InvalidAddressProblem: components["schemas"]["Problem"] & {
            /**
             * @example invalid_address
             * @enum {string}
             */
            code?: "invalid_address";
            /** @description Each thing that is wrong with the request. At most 16 are listed. */
            errors: components["schemas"]["FieldError"][];
        };
        /**
         * @description The Ed25519 signature (RFC 8032, strict verification) of the transfer's signed bytes by the sender's key: 128 lower-case hex digits, without `0x`. The signed bytes are `txledger-transfer-v1`, one line feed, and the JSON object with the keys amount, chainId, from, nonce, reference, to, validUntil in this order, of which reference and validUntil are there only when they are sent, without spaces and with no line feed at the end.
         * @example 1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504
         */
        Signature: string;
        /**
         * @description A transaction hash as a caller may write it: 64 hex digits in either case. Answers always carry upper case.
         * @example 2ca587e992e30e9096008ae35b238c8990a6d32d741cfce86cf97dcf71bfb800
         */
        TxHashInput: string;
        /** @description A signed transfer. The chain id is not sent: the server adds its own, so a transfer signed for another chain is 422 `invalid_signature`. */
        TransactionInput: {
            /** @description The account that pays and whose key signed. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. It may be one that does not exist yet. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The sender's next free nonce (`nextNonce` of getAccount). Up to 1,023 ahead of the account's nonce are accepted; a transfer waits until every earlier nonce has been used. */
            nonce: components["schemas"]["Nonce"];
            /** @description The payer's own name for the payment, such as an order number: it makes two payments of one price different ones. Optional, and then signed: another reference at the same nonce is 409 `nonce_conflict`. Null counts as absent. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Optional, and then signed. When it is not later than the last block's time or the service's clock (`lastBlockTime` and `serviceTime` of getChain) the answer is 422 `validity_passed`. A transfer that no block executed by then ends `expired`. Null counts as absent. */
            validUntil?: components["schemas"]["ValidUntil"];
            signature: components["schemas"]["Signature"];
            /** @description The hash that the caller computed. Optional; when sent it is compared, and a difference is 422 `tx_hash_mismatch` with both values. Null counts as absent. */
            txHash?: components["schemas"]["TxHashInput"];
        };
        /** @description The token is valid, but it does not carry the scope that the operation needs. */
        InsufficientScopeProblem: components["schemas"]["Problem"] & {
            /**
             * @example insufficient_scope
             * @enum {string}
             */
            code?: "insufficient_scope";
        };
        /** @description The transaction was submitted by another owner, or the operator has bound the sending address to another owner. */
        NotSubmitterProblem: components["schemas"]["Problem"] & {
            /**
             * @example not_submitter
             * @enum {string}
             */
            code?: "not_submitter";
        };
        /** @description The chain has passed this nonce of the account: a transaction used it, or it was voided. */
        NonceTooLowProblem: components["schemas"]["Problem"] & {
            /**
             * @example nonce_too_low
             * @enum {string}
             */
            code?: "nonce_too_low";
            /** @description The nonce to sign with instead: what getAccount tells as `nextNonce`, as of the moment in which this request was refused. */
            nextNonce: components["schemas"]["Nonce"];
        };
        /** @description Another payment of the same account has this nonce and is pending or executed. Its hash is in txHash. */
        NonceConflictProblem: components["schemas"]["Problem"] & {
            /**
             * @example nonce_conflict
             * @enum {string}
             */
            code?: "nonce_conflict";
            /** @description The transaction that holds the nonce. */
            txHash: components["schemas"]["TxHash"];
            /** @description The nonce to sign with instead: what getAccount tells as `nextNonce`, as of the moment in which this request was refused. */
            nextNonce: components["schemas"]["Nonce"];
        };
        /** @description The nonce is void, so no transfer with it can ever execute: the transfer that held it was cancelled on request or expired, or a cancel from elsewhere voided it. The detail says which. */
        NonceCancelledProblem: components["schemas"]["Problem"] & {
            /**
             * @example nonce_cancelled
             * @enum {string}
             */
            code?: "nonce_cancelled";
            /** @description The nonce to sign with instead: what getAccount tells as `nextNonce`, as of the moment in which this request was refused. */
            nextNonce: components["schemas"]["Nonce"];
        };
        /** @description The signature is not one of the account's key over the exact sign bytes of this transfer on this chain. They are given in signBytes. */
        InvalidSignatureProblem: components["schemas"]["Problem"] & {
            /**
             * @example invalid_signature
             * @enum {string}
             */
            code?: "invalid_signature";
            /**
             * @description The exact bytes that the signature had to be made over, as text: every one of them is ASCII, and the line feed after the first line is part of them.
             * @example txledger-transfer-v1
             *     {"amount":"100","chainId":"txledger-dev-1","from":"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz","nonce":0,"to":"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"}
             */
            signBytes: string;
        };
        /** @description The txHash in the request differs from the SHA-256 of the transfer's raw bytes. Both are given. */
        TxHashMismatchProblem: components["schemas"]["Problem"] & {
            /**
             * @example tx_hash_mismatch
             * @enum {string}
             */
            code?: "tx_hash_mismatch";
            /** @description The hash that the server computed from the transfer. */
            expectedTxHash: components["schemas"]["TxHash"];
            /** @description The hash that the request carried, in upper case. */
            actualTxHash: components["schemas"]["TxHash"];
        };
        /** @description The balance of the account, less everything it has pending, is smaller than the amount. Money that is still to come in does not count, and an account that does not exist has none. */
        InsufficientFundsProblem: components["schemas"]["Problem"] & {
            /**
             * @example insufficient_funds
             * @enum {string}
             */
            code?: "insufficient_funds";
        };
        /** @description The nonce is 1,024 or more ahead of the one that the chain expects next. */
        NonceTooHighProblem: components["schemas"]["Problem"] & {
            /**
             * @example nonce_too_high
             * @enum {string}
             */
            code?: "nonce_too_high";
            /** @description The nonce to sign with instead: what getAccount tells as `nextNonce`, as of the moment in which this request was refused. */
            nextNonce: components["schemas"]["Nonce"];
        };
        /** @description Another transfer was accepted with this Idempotency-Key of the owner. It is named in txHash. */
        IdempotencyKeyReusedProblem: components["schemas"]["Problem"] & {
            /**
             * @example idempotency_key_reused
             * @enum {string}
             */
            code?: "idempotency_key_reused";
            /** @description The transfer that was accepted with the key. */
            txHash: components["schemas"]["TxHash"];
        };
        /** @description The transfer's `validUntil` is not later than the time of the chain's last block, so no block can execute it any more. */
        ValidityPassedProblem: components["schemas"]["Problem"] & {
            /**
             * @example validity_passed
             * @enum {string}
             */
            code?: "validity_passed";
        };
        /** @description The receiver has no account yet, and the amount is smaller than the first one that an account of this chain receives. */
        BelowOpeningMinimumProblem: components["schemas"]["Problem"] & {
            /**
             * @example below_opening_minimum
             * @enum {string}
             */
            code?: "below_opening_minimum";
        };
        /** @description The quota of the token or of the client address is used up for now. */
        RateLimitedProblem: components["schemas"]["Problem"] & {
            /**
             * @example rate_limited
             * @enum {string}
             */
            code?: "rate_limited";
        };
        /** @description The owner of the token has as many pending transactions as one owner may have. */
        TooManyPendingProblem: components["schemas"]["Problem"] & {
            /**
             * @example too_many_pending
             * @enum {string}
             */
            code?: "too_many_pending";
        };
        /** @description As many transactions are pending as the service takes. */
        PoolFullProblem: components["schemas"]["Problem"] & {
            /**
             * @example pool_full
             * @enum {string}
             */
            code?: "pool_full";
        };
        /** @description The chain cannot be reached, makes no blocks, or does not carry on from the block that this service knows. */
        EngineUnavailableProblem: components["schemas"]["Problem"] & {
            /**
             * @example engine_unavailable
             * @enum {string}
             */
            code?: "engine_unavailable";
        };
        /** @description The database cannot be reached or does not take writes. */
        StoreUnavailableProblem: components["schemas"]["Problem"] & {
            /**
             * @example store_unavailable
             * @enum {string}
             */
            code?: "store_unavailable";
        };
        /** @description Signed transfers to submit together. */
        TransactionBatchInput: {
            /** @description The transfers, each as submitTransaction takes it. Those of one account stand in the order of their nonces. */
            transactions: components["schemas"]["TransactionInput"][];
        };
        /** @description The problem that submitTransaction would answer for this transfer, with the members of its code. Pointers in `errors` begin at the body of the request: in a batch, `/transactions/3/amount`. */
        TransactionRefusal: components["schemas"]["Problem"] & {
            /** @description The nonce to sign with instead: what getAccount tells as `nextNonce`, as of the moment in which this request was refused. */
            nextNonce?: components["schemas"]["Nonce"];
            /**
             * @description The exact bytes that the signature had to be made over, as text: every one of them is ASCII, and the line feed after the first line is part of them.
             * @example txledger-transfer-v1
             *     {"amount":"100","chainId":"txledger-dev-1","from":"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz","nonce":0,"to":"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"}
             */
            signBytes?: string;
            /** @description The hash that the server computed from the transfer. */
            expectedTxHash?: components["schemas"]["TxHash"];
            /** @description The hash that the request carried, in upper case. */
            actualTxHash?: components["schemas"]["TxHash"];
            /**
             * Format: int32
             * @description Seconds to wait before this transfer is sent again, where a single answer has Retry-After: with the statuses 429 and 503.
             * @example 5
             */
            retryAfterS?: number;
        };
        /** @description What became of one transfer of a batch. It has `transaction` unless it was refused, and `problem` only then. */
        TransactionOutcome: {
            /**
             * @description `accepted`: taken in by this request, durably. `replayed`: known already, nothing was changed, whatever its status. `refused`: not taken in; `problem` says why. The list may grow with a minor version of this contract.
             * @example accepted
             */
            outcome: "accepted" | "replayed" | "refused";
            /** @description The transfer as submitTransaction would answer it. Absent when it was refused. */
            transaction?: components["schemas"]["Transaction"];
            /** @description Why it was refused. Absent otherwise. */
            problem?: components["schemas"]["TransactionRefusal"];
        };
        /** @description What became of each transfer of a batch. */
        TransactionBatchResult: {
            /** @description One outcome for each transfer of the request, in the order of the request. */
            results: components["schemas"]["TransactionOutcome"][];
        };
        /** @description The bytes of the body are not one JSON value in UTF-8, or parsers read them differently: a duplicate key, a number such as 1.0, 1e3, -0 or one past 2^53-1, a byte order mark. */
        MalformedJsonProblem: components["schemas"]["Problem"] & {
            /**
             * @example malformed_json
             * @enum {string}
             */
            code?: "malformed_json";
        };
        /** @description The body is larger than 16 KiB, or than 1 MiB under /rpc where it can hold a transaction or evidence. */
        BodyTooLargeProblem: components["schemas"]["Problem"] & {
            /**
             * @example body_too_large
             * @enum {string}
             */
            code?: "body_too_large";
        };
        /** @description A transfer to judge without submitting it, signed or not. The members are those of submitTransaction; only `signature` may be absent. The chain id is not sent: the server adds its own. */
        TransactionCheckInput: {
            /** @description The account that pays and whose key signs. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. It may be one that does not exist yet. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The nonce to judge it with, such as `nextNonce` of getAccount. */
            nonce: components["schemas"]["Nonce"];
            /** @description The payer's own name for the payment. Optional, and then signed. Null counts as absent. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Optional, and then signed. Null counts as absent. */
            validUntil?: components["schemas"]["ValidUntil"];
            /** @description Optional. Without it everything but signature and hash is judged. Null counts as absent. */
            signature?: components["schemas"]["Signature"];
            /** @description The hash that the caller computed. Optional; it is compared when there is a signature, since the hash depends on it, and is not judged without one. Null counts as absent. */
            txHash?: components["schemas"]["TxHashInput"];
        };
        /**
         * Format: uint128
         * @description What an account holds, as a decimal string of integer minor units, from 0 to 2^128-1.
         * @example 1000000000000000
         */
        Balance: string;
        /** @description Nonces of one account that follow each other, both ends included. */
        NonceRange: {
            /** @description The lowest of them. */
            first: components["schemas"]["Nonce"];
            /** @description The highest of them, the same as `first` where it is one. */
            last: components["schemas"]["Nonce"];
        };
        /** @description What an integrator needs to sign the next transfer, and what the account can spend. All members are of one moment: balance, nonce and void nonces are those after the block at `height`, and pending transfers those that the service held then. An address that no block has named yet is an empty account, not an error. */
        Account: {
            address: components["schemas"]["Address"];
            /** @description What the account holds as of the last block that this service has applied; pending transfers are not subtracted. */
            balance: components["schemas"]["Balance"];
            /** @description What the account can spend: `balance` less `pendingOut`, and 0 where more is pending than the account holds (which only transfers that reached the chain by another way can cause). A transfer of more is 422 `insufficient_funds`; money that is on its way to the account does not count. */
            available: components["schemas"]["Balance"];
            /** @description The sum of the account's pending transfers known here. One whose cancel was requested counts until a block has decided it. */
            pendingOut: components["schemas"]["Balance"];
            /** @description The nonce that the chain expects next from this account. */
            nonce: components["schemas"]["Nonce"];
            /** @description The nonce to sign next, the lowest that is neither void nor held by a pending transfer known here. */
            nextNonce: components["schemas"]["Nonce"];
            /** @description The nonces that hold up pending transfers of this account: those from `nonce` on that are below the nonce of a pending transfer and are neither void nor held by one. Ascending, and empty when nothing waits for a missing nonce; otherwise the first begins with `nextNonce`. Submit a transfer with each of them. */
            gaps: components["schemas"]["NonceRange"][];
            /**
             * Format: int64
             * @description The block after which the answer holds, the last that this service has applied; 0 before the first.
             * @example 42
             */
            height: number;
            /** @description The header time of that block, to the millisecond; the genesis time before the first. */
            blockTime: components["schemas"]["Timestamp"];
        };
        /** @description What submitting the transfer would be answered at this moment. Nothing was changed or remembered, and nothing is promised: the state may be another one when the transfer is submitted. */
        TransactionCheckResult: {
            /**
             * @description `accepted`: it would be taken in. `replayed`: it is known already, so nothing would change, whatever its status. `refused`: it would not be taken in; `problem` says why. The list may grow with a minor version of this contract.
             * @example accepted
             */
            outcome: "accepted" | "replayed" | "refused";
            /**
             * @description `valid` or `invalid`, or `not_judged`: there was no signature, or judgement ended before it, at an address or at a sender that is bound to another owner. The list may grow with a minor version of this contract.
             * @example valid
             */
            signatureStatus: "valid" | "invalid" | "not_judged";
            /**
             * @description The exact bytes to sign, as text: every one of them is ASCII, and the line feed after the first line is part of them.
             * @example txledger-transfer-v1
             *     {"amount":"100","chainId":"txledger-dev-1","from":"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz","nonce":0,"to":"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"}
             */
            signBytes: string;
            /** @description The hash of the transfer with the signature of the request. Absent without a signature. */
            txHash?: components["schemas"]["TxHash"];
            /** @description The transfer as this service knows it. Absent unless the outcome is `replayed`. */
            transaction?: components["schemas"]["Transaction"];
            /** @description Why it would be refused. Absent unless the outcome is `refused`. */
            problem?: components["schemas"]["TransactionRefusal"];
            /** @description The sender as the transfer was judged against it. Absent where judgement ended before it: `from` or `to` is no address of this chain, or the sender is bound to another owner. */
            account?: components["schemas"]["Account"];
        };
        /**
         * @description What happened to a transaction. `accepted` (durably taken in by this service) or `seen_on_chain` (first met in a block, submitted elsewhere) comes first; `broadcast` (first handed to the chain), `cancel_requested` (by a caller) and `expiry_requested` (by this service, after `validUntil` or the time to live) may follow; one of `committed`, `failed`, `cancelled` and `expired` ends it. The list may grow with a minor version of this contract: pass over an event that you do not know.
         * @example accepted
         */
        HistoryEvent: "accepted" | "seen_on_chain" | "broadcast" | "cancel_requested" | "expiry_requested" | "committed" | "failed" | "cancelled" | "expired";
        /**
         * @description `validity_passed` (a block is later than the `validUntil` of the transfer) or `time_to_live` (it was pending for longer than this service keeps one). The list may grow with a minor version of this contract.
         * @example validity_passed
         */
        ExpiryReasonCode: "validity_passed" | "time_to_live";
        /** @description One event in the life of a transaction. */
        HistoryEntry: {
            /** @description When it happened, as this history tells it: never before the entry above. For what this service did, its clock; for what a block decided, the block's time, or the time of the entry above where that is later, because a block carries the moment at which the block before it was signed. */
            at: components["schemas"]["Timestamp"];
            /** @description The time of the block that decided the event, as the block says it. Absent for events outside the chain. */
            blockTime?: components["schemas"]["Timestamp"];
            event: components["schemas"]["HistoryEvent"];
            /** @description With `expiry_requested`, why this service gave the transfer up. Absent with every other event. */
            reason?: components["schemas"]["ExpiryReasonCode"];
            /**
             * @description Why it happened, in a sentence for people. Absent when the event says it all.
             * @example The sender's balance at height 42 was 0.
             */
            detail?: string;
            /** @description The block that decided the event. Absent for events outside the chain. */
            height?: components["schemas"]["BlockHeight"];
            /** @description Another transaction that the event is about, such as the cancel that voided the nonce or the payment that took it. Absent without one. */
            txHash?: components["schemas"]["TxHash"];
        };
        /** @description A transfer that no block has decided yet, with its history. */
        PendingTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `pending`.
             * @example pending
             * @enum {string}
             */
            status: "pending";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer is still pending. Absent before it was first handed to the chain. */
            reason?: components["schemas"]["PendingReason"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer that a block executed, with its history. The money moved. */
        CommittedTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `committed`.
             * @example committed
             * @enum {string}
             */
            status: "committed";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer that can never move money any more, with its history. */
        FailedTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `failed`.
             * @example failed
             * @enum {string}
             */
            status: "failed";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer failed. */
            reason: components["schemas"]["FailureReason"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer whose nonce was voided on request before a block executed it, with its history. */
        CancelledTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `cancelled`.
             * @example cancelled
             * @enum {string}
             */
            status: "cancelled";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer whose nonce was voided by this service because it stayed pending past its `validUntil` or its time to live, with its history. */
        ExpiredTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            /**
             * @description Always `expired`.
             * @example expired
             * @enum {string}
             */
            status: "expired";
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer whose `status` a later version of this contract added, with its history. It has what every transfer has; the other members are there where they apply. */
        OtherTransactionDetail: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            txHash: components["schemas"]["TxHash"];
            status: components["schemas"]["TransactionStatus"];
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer has its status. */
            reason?: components["schemas"]["OtherReason"];
            /** @description The block that decided the transfer. */
            height?: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. */
            blockTime?: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
            /** @description The nonce that the sender signed. */
            nonce: components["schemas"]["Nonce"];
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        };
        /** @description A transfer with its history. `status` tells which kind it is, and a status that a later version adds is read as OtherTransactionDetail. */
        TransactionDetail: components["schemas"]["PendingTransactionDetail"] | components["schemas"]["CommittedTransactionDetail"] | components["schemas"]["FailedTransactionDetail"] | components["schemas"]["CancelledTransactionDetail"] | components["schemas"]["ExpiredTransactionDetail"];
        /** @description No transaction with this hash has been seen by this service, the owner of the token has no webhook with this id, or the path does not exist. */
        NotFoundProblem: components["schemas"]["Problem"] & {
            /**
             * @example not_found
             * @enum {string}
             */
            code?: "not_found";
        };
        /**
         * @description What a block decided: `committed` (the money moved), `failed` (it can never move any more), `cancelled` (the nonce was voided before a block executed the transfer) or `expired` (voided by this service because it stayed pending past its `validUntil` or its time to live). The list may grow with a minor version of this contract: every status but `pending` is final.
         * @example committed
         */
        SettledStatus: "committed" | "failed" | "cancelled" | "expired";
        /** @description The transaction cannot be cancelled: it has committed, failed or expired, which is final. Its status is in transactionStatus. */
        AlreadySettledProblem: components["schemas"]["Problem"] & {
            /**
             * @example already_settled
             * @enum {string}
             */
            code?: "already_settled";
            /** @description The final status that the transaction has. */
            transactionStatus: components["schemas"]["SettledStatus"];
            /** @description The transaction that is settled. */
            txHash: components["schemas"]["TxHash"];
        };
        /** @description The sender's own cancel of a transfer. What is signed is made from the transfer itself, so only the signature is sent. */
        CancelInput: {
            /** @description The Ed25519 signature of the transfer's sender over the sign bytes of the cancel: the text `txledger-cancel-v1`, one line feed, and the JSON object `{"chainId":"C","from":"F","nonce":N,"signer":"F","txHash":"H"}` with chain, sender, nonce and upper-case hash of the transfer. */
            signature: components["schemas"]["Signature"];
        };
        /**
         * @description The name of a chain, part of everything signed for it, so that a signature for one chain never verifies on another.
         * @example txledger-dev-1
         */
        ChainId: string;
        /**
         * @description A path from a leaf to the root of a tree, in CometBFT's JSON: `total`, the number of leaves, and `index`, the place of the leaf, as decimal text; `leaf_hash`, and `aunts`, an array, in base64.
         * @example {
         *       "total": "1",
         *       "index": "0",
         *       "leaf_hash": "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=",
         *       "aunts": []
         *     }
         */
        ReceiptPath: {
            [key: string]: unknown;
        };
        /**
         * @description The part of a transaction's result that the chain commits to, in CometBFT's JSON: `code`, a number of 32 bits; `data` in base64, or null without any, as this ledger returns none; `gas_wanted` and `gas_used` as decimal text, which this ledger does not count.
         * @example {
         *       "code": 0,
         *       "data": null,
         *       "gas_wanted": "0",
         *       "gas_used": "0"
         *     }
         */
        ReceiptResult: {
            [key: string]: unknown;
        };
        /**
         * @description A validator as far as its set is hashed, in CometBFT's JSON.
         * @example {
         *       "address": "41B2055ED15EFB56364B2543EE7E73F05C38BED4",
         *       "voting_power": "10"
         *     }
         */
        ReceiptValidator: {
            [key: string]: unknown;
        };
        /** @description A header, the signatures that make it final, and the validators that made them. */
        ReceiptBlock: {
            /**
             * @description The header in CometBFT's JSON, as `commit` of the RPC answers it: `version` (`block` and `app`), `chain_id`, `height`, `time`, `last_block_id` (`hash`, and `parts` with `total` and `hash`), `last_commit_hash`, `data_hash`, `validators_hash`, `next_validators_hash`, `consensus_hash`, `app_hash`, `last_results_hash`, `evidence_hash`, `proposer_address`. Hashes are in hex, numbers of 64 bits decimal text.
             * @example {
             *       "chain_id": "txledger-dev-1",
             *       "height": "2"
             *     }
             */
            header: {
                [key: string]: unknown;
            };
            /**
             * @description The signatures under it in CometBFT's JSON, as `commit` of the RPC answers them: `height`, `round`, `block_id`, and `signatures`, each with `block_id_flag`, `validator_address`, `timestamp` and `signature` in base64. A signature that is not for this block is given as absent here.
             * @example {
             *       "height": "2",
             *       "round": 0
             *     }
             */
            commit: {
                [key: string]: unknown;
            };
            /** @description The validators that sign the block in CometBFT's JSON: each with `address`, `pub_key` (`type` tendermint/PubKeyEd25519, `value` in base64) and `voting_power`. `proposer_priority`, which `validators` of the RPC has, is left out: no hash covers it. */
            validators: components["schemas"]["ReceiptValidator"][];
        };
        /**
         * @description What proves a transaction of the chain to a stranger, offline. It holds nothing that has to be believed: every member is
         *     checked by the steps below, and a receipt with any of them changed is refused. Members that are not described here may come
         *     with a later version and prove nothing.
         *
         *     **Notation.** H is SHA-256. Members in hex are upper case, those in base64 have padding; a text that is not the one way to write
         *     its bytes or its number is refused. `n:v` is a protobuf field n of a number: the byte 8n, then v as a varint of 64 bits; it is left out when v is
         *     0. `n=b` is a field of bytes: the byte 8n + 2, the length of b as a varint, b; it is left out when b is empty, except where it
         *     is written `n==b`. `n#v` is the byte 8n + 1 and v in 8 bytes, little endian, left out when v is 0. A tree over leaves: leaf(x) =
         *     H(0x00 x), node(l, r) = H(0x01 l r), split at the largest power of two below the number of leaves (RFC 6962); without any
         *     leaf its root is H of nothing.
         *
         *     1. **Transaction.** `txHash` is H(`transaction`). The bytes are a transfer or a cancel in the one form that the tag Transactions
         *        (or RPC Transactions) gives for raw bytes, its `chainId` is this one, and its signature is that of `from` (of `signer`, in a cancel).
         *     2. **Paths.** `index` and `total` of both proofs are the same, and `index` is that of the receipt. The leaf of `transactionProof` is
         *        leaf(H(`transaction`)), and its path leads to `block.header.data_hash`. The leaf of `resultProof` is leaf(`1:code 2=data 5:gas_wanted
         *        6:gas_used`) of `result`, and its path leads to `nextBlock.header.last_results_hash`. `aunts` are the siblings from the leaf upwards.
         *     3. **Headers.** The hash of a header is the root of the tree over its members in their order, each encoded by itself: `version` as `1:block 2:app`;
         *        `chain_id` and every hash and address as `1=bytes`; `height` as `1:height`; `time` as `1:seconds 2:nanoseconds` since 1970;
         *        `last_block_id` as ID = `1=hash 2==(1:total 2=hash of the parts)`. It is `commit.block_id.hash`.
         *     4. **Validators.** Sorted by `voting_power`, highest first, then by `address`, which is the first 20 bytes of H(key). `validators_hash` of
         *        their header is the root of the tree over `1==(1=key) 2:voting_power`.
         *     5. **Commits.** `commit.height` is the header's, and there is a signature for each validator, in their order. With `block_id_flag` 2 it names the validator's
         *        address and is its Ed25519 signature (as strict as for transfers) over the length of V as a varint and V = `1:2 2#height 3#round 4==ID 5==T 6=chain_id`,
         *        where ID is that of `commit.block_id` and T its `timestamp`, encoded as `time` is. With 1 it is absent: no address, the time
         *        0001-01-01T00:00:00Z, signature null. Other flags do not occur. Those who signed have more than two thirds of the power.
         *     6. **Links.** Both headers are of `chainId`; `block.header.height` is `height`, `nextBlock.header.height` one more. `nextBlock.header.last_block_id`
         *        is `block.commit.block_id`, and `nextBlock.header.validators_hash` is `block.header.next_validators_hash`.
         *     7. **Trust**, which the receipt cannot give: one of these has to be known from elsewhere. The genesis file: its `chain_id`, and its `validators` with their
         *        `power` as in step 4, give `block.header.validators_hash`, which holds until validators change. Or the chain's id and the
         *        validators of `height`. Or the hash of the header at `height` or one higher, from a node or a party that is trusted: this also holds after any change of validators.
         *
         *     Then the transaction is in block `height` of the chain, and `result.code` says what became of it: 0 is executed, a payment only then; 1 to
         *     9 is executed and failed, and 10 and above is without any effect. A chain with a single validator proves what the holder of that one key says.
         */
        Receipt: {
            chainId: components["schemas"]["ChainId"];
            txHash: components["schemas"]["TxHash"];
            /** @description The block that holds the transaction. */
            height: components["schemas"]["BlockHeight"];
            /**
             * Format: int64
             * @description The place of the transaction in its block, counted from 0.
             * @example 0
             */
            index: number;
            /**
             * @description The raw transaction, as it is in the block, in base64.
             * @example eyJhbW91bnQiOiIxMDAifQ==
             */
            transaction: string;
            /** @description The path from the transaction to `data_hash` of its block. */
            transactionProof: components["schemas"]["ReceiptPath"];
            /** @description What became of it. */
            result: components["schemas"]["ReceiptResult"];
            /** @description The path from the result to `last_results_hash` of the next block. */
            resultProof: components["schemas"]["ReceiptPath"];
            /** @description The block that holds the transaction. */
            block: components["schemas"]["ReceiptBlock"];
            /** @description The block after it, which commits to the results. */
            nextBlock: components["schemas"]["ReceiptBlock"];
        };
        /** @description No block has decided the transfer yet, or the block after that one, which commits to the results, does not exist yet. */
        ReceiptNotReadyProblem: components["schemas"]["Problem"] & {
            /**
             * @example receipt_not_ready
             * @enum {string}
             */
            code?: "receipt_not_ready";
            /** @description The transfer that was asked for. */
            txHash: components["schemas"]["TxHash"];
        };
        /** @description Several accounts, all of one moment. */
        AccountList: {
            /** @description One account for each address of the request, in the order of the request. Each has the `height` and `blockTime` of the list. */
            accounts: components["schemas"]["Account"][];
            /**
             * Format: int64
             * @description The block after which the answer holds, the last that this service has applied; 0 before the first.
             * @example 42
             */
            height: number;
            /** @description The header time of that block, to the millisecond; the genesis time before the first. */
            blockTime: components["schemas"]["Timestamp"];
        };
        /**
         * Format: int64
         * @description The number of a block, or 0 for the state that the genesis file gives.
         * @example 42
         */
        StateHeight: number;
        /**
         * Format: int32
         * @description How many entries a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.
         * @default 10
         * @example 10
         */
        EntryLimitValue: number;
        /**
         * Format: date-time
         * @description A moment as RFC 3339 writes it, in UTC or with an offset from it, and at most nine digits of fractions of a second. A plus sign of an offset is written `%2B` in a URL, where a bare one is a space.
         * @example 2026-11-28T10:00:00+01:00
         */
        TimestampInput: string;
        /**
         * @description Newest entry first (`desc`), or oldest first (`asc`).
         * @default desc
         * @example asc
         * @enum {string}
         */
        EntryOrder: "asc" | "desc";
        /**
         * @description Whether the money came in to the account or went out of it.
         * @example out
         * @enum {string}
         */
        EntryDirection: "in" | "out";
        /** @description One movement of an account's money, by a transfer that a block committed. */
        Entry: {
            /** @description The block that committed the transfer. */
            height: components["schemas"]["BlockHeight"];
            /**
             * Format: int64
             * @description The position of the transfer in its block, from 0.
             * @example 0
             */
            index: number;
            /** @description The header time of that block, to the millisecond. It never runs backwards along a statement. */
            blockTime: components["schemas"]["Timestamp"];
            /** @description The hash of the transfer as the block has it. */
            txHash: components["schemas"]["TxHash"];
            direction: components["schemas"]["EntryDirection"];
            /** @description The account at the other side; the account itself for a transfer to oneself. */
            counterparty: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            /** @description What the account held after this entry and before the next one. */
            balanceAfter: components["schemas"]["Balance"];
            /** @description The payer's own name for the payment; absent when the transfer has none. */
            reference?: components["schemas"]["Reference"];
        };
        /** @description One page of a statement. The pages joined are the whole statement: no entry twice, none missed, also while blocks are being added. */
        EntryPage: {
            /** @description The entries of this page, at most `limit` of them. */
            entries: components["schemas"]["Entry"][];
            /**
             * Format: int64
             * @description The last block that the page takes into account; 0 before the first.
             * @example 42
             */
            height: number;
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /**
         * @description The statement as CSV (RFC 4180, UTF-8, lines end in CRLF) with the header row `height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference`; members and units are those of the JSON form, and `reference` is empty for a transfer without one. A reference that begins with `=`, `+`, `-`, `@` or `'` has one `'` put before it, so that no spreadsheet takes it for a formula: take one leading `'` away to get what the payer wrote.
         * @example height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference
         */
        StatementCsv: string;
        /**
         * @description A place in the event log: the `id` of an event, or the height of a block for the place behind its last event; 0 is before the first block.
         * @example 1204-3
         */
        EventPlace: string;
        /**
         * @description The owner that tokens belong to, as the operator named it.
         * @example acme
         */
        Owner: string;
        /**
         * @description What became of a transfer: `transaction.committed` (the money moved), `transaction.failed` (it can never move any more), `transaction.cancelled` (its nonce was voided on request) or `transaction.expired` (voided by this service after its `validUntil` or its time to live). The list may grow with a minor version of this contract: pass over an event whose type you do not know.
         * @example transaction.committed
         */
        EventType: "transaction.committed" | "transaction.failed" | "transaction.cancelled" | "transaction.expired";
        /**
         * @description A status that a block decides; SettledStatus says what each means.
         * @example committed
         * @enum {string}
         */
        SettledStatusFilter: "committed" | "failed" | "cancelled" | "expired";
        /**
         * Format: int32
         * @description How many events a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.
         * @default 10
         * @example 10
         */
        EventLimitValue: number;
        /**
         * @description Newest event first (`desc`), or in the order of the chain (`asc`).
         * @example asc
         * @enum {string}
         */
        EventOrder: "asc" | "desc";
        /**
         * @description The name of an event and its place in the log: the height of its block, a hyphen, and its `index` there. Places are compared number by number, not as text.
         * @example 1204-3
         */
        EventId: string;
        /** @description The transfer as its block left it. When a cancel voids a nonce and this service never saw the transfer that it names, there is an event too: it has what the cancel says, `txHash`, `from` and `nonce`, and neither `to` nor `amount`. */
        EventTransaction: {
            txHash: components["schemas"]["TxHash"];
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. Absent when this service never saw the transfer. */
            to?: components["schemas"]["Address"];
            /** @description Absent when this service never saw the transfer. */
            amount?: components["schemas"]["Amount"];
            nonce: components["schemas"]["Nonce"];
            /** @description The payer's own name for the payment. Absent when the transfer was signed without one. */
            reference?: components["schemas"]["Reference"];
            /** @description The last moment at which a block may execute the transfer, as Unix time in whole seconds. Absent when the transfer was signed without one. */
            validUntil?: components["schemas"]["ValidUntil"];
            status: components["schemas"]["SettledStatus"];
            /** @description Why the transfer failed; absent with every other status. */
            reason?: components["schemas"]["FailureReason"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here; absent otherwise. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
        };
        /** @description Where the event is on the chain, and the transfer that it is about. */
        EventData: {
            /** @description The block that decided the transfer. */
            height: components["schemas"]["BlockHeight"];
            /**
             * Format: int64
             * @description The position in that block of the transaction that decided, from 0: the transfer itself, or the cancel that voided its nonce. For a transfer that lost its nonce to another payment, the number of transactions in the block plus the position of that payment.
             * @example 3
             */
            index: number;
            transaction: components["schemas"]["EventTransaction"];
        };
        /** @description A fact that a block decided about a transfer. The same object is an entry of a page, the `data:` of a server-sent event and the body of a webhook. */
        Event: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["EventType"];
            /** @description The header time of the block, to the millisecond. */
            timestamp: components["schemas"]["Timestamp"];
            data: components["schemas"]["EventData"];
        };
        /** @description One page of the event log. The pages joined are the whole log as the filters leave it: no event twice, none missed, also while blocks are being added. */
        EventPage: {
            /** @description The events of this page, at most `limit` of them; with filters there may be none although more follow. */
            events: components["schemas"]["Event"][];
            /**
             * Format: int64
             * @description The last block that the page takes into account; 0 before the first. Every event up to it is in the log.
             * @example 1204
             */
            height: number;
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /**
         * @description Server-sent events (WHATWG HTML, UTF-8). First a `retry:` line with a comment line `: height H` that tells where the stream begins; then for each event the lines `id:` (the event's `id`), `event:` (its type) and `data:` (an Event as JSON in one line); every 15 seconds a comment line `: height H`. At the end of a block a line `id: H` goes with such a comment and has no data, so that no listener is called: a client that connects again with it goes on behind block H.
         * @example retry: 1000
         *     : height 1204
         *     id: 1204
         */
        EventStream: string;
        /** @description `after`, `Last-Event-ID` or `cursor` names a place more than 100 blocks ahead of the last block: it is of another chain, or of a time that a restored backup does not have. */
        PlaceAheadProblem: components["schemas"]["Problem"] & {
            /**
             * @example place_ahead
             * @enum {string}
             */
            code?: "place_ahead";
            /**
             * Format: int64
             * @description The last block of the event log; 0 before the first.
             * @example 1204
             */
            height: number;
        };
        /**
         * @description The name of a webhook, made by this service.
         * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
         */
        WebhookId: string;
        /**
         * @description Where messages are sent: an absolute `https` URL without user name, password and fragment. On a development chain `http` is taken too, to this machine alone. A host that is written as an address has to be a public one, and a name has to resolve to one when a message is sent, unless the operator allows it; else it is 422 `webhook_url_refused`. It is kept and shown as the WHATWG URL standard writes it: `https://Example.com` becomes `https://example.com/`.
         * @example https://shop.example/hooks/txledger
         */
        WebhookUrl: string;
        /**
         * @description What the webhook is for, in words of its owner. Nothing acts on it.
         * @example Orders of the shop
         */
        WebhookDescription: string;
        /**
         * @description Messages are sent (`enabled`), or none is (`disabled`). The list may grow with a minor version of this contract.
         * @example enabled
         */
        WebhookStatus: "enabled" | "disabled";
        /**
         * @description Why no messages are sent: `owner` (updateWebhook said so), `failing` (no message was taken for three days) or `gone` (the receiver answered 410). The list may grow with a minor version of this contract.
         * @example failing
         */
        WebhookDisabledReason: "owner" | "failing" | "gone";
        /**
         * @description Why an attempt failed, for programs to act on. The list may grow with a minor version of this contract. `url_refused` (the URL may not be called for how it is written), `connection_failed` (no connection; of a name that has no public address, and of a private target, no more is said), `tls_failed`, `timeout` (no whole answer in time), `redirected` (redirects are not followed), `status_code` (an answer other than 2xx). `name_not_resolved` is found in attempts of earlier versions only.
         * @example timeout
         */
        WebhookFailureCode: "url_refused" | "name_not_resolved" | "connection_failed" | "tls_failed" | "timeout" | "redirected" | "status_code";
        /** @description The last attempt that failed. */
        WebhookFailure: {
            /** @description When it failed. */
            at: components["schemas"]["Timestamp"];
            code: components["schemas"]["WebhookFailureCode"];
            /**
             * @description What happened, in a sentence for people. Its wording may change.
             * @example The receiver did not answer within 15 seconds.
             */
            detail: string;
        };
        /** @description A place of the owner's to which this service sends events. Its secret is never shown again. */
        Webhook: {
            id: components["schemas"]["WebhookId"];
            url: components["schemas"]["WebhookUrl"];
            /** @description What it is for. Absent when its owner did not say. */
            description?: components["schemas"]["WebhookDescription"];
            /** @description Only events of these types. Absent: of every type. */
            types?: components["schemas"]["EventType"][];
            /** @description Only events of transfers that one of these accounts pays or receives. Absent: of every account. */
            accounts?: components["schemas"]["Address"][];
            /**
             * @description Only events of transfers that the owner of the webhook submitted to this service. Absent: of every owner.
             * @example true
             */
            submittedOnly?: boolean;
            status: components["schemas"]["WebhookStatus"];
            /** @description Absent while the webhook is enabled. */
            disabledReason?: components["schemas"]["WebhookDisabledReason"];
            /** @description The last event that was delivered, or passed over because it does not match; or the last block of which that is so. */
            position: components["schemas"]["EventPlace"];
            /** @description Until when a secret from before the last rotation signs beside the new one. Absent when none does. */
            previousSecretUntil?: components["schemas"]["Timestamp"];
            /** @description When the last event was taken by the receiver. Absent when none was. */
            lastSuccessAt?: components["schemas"]["Timestamp"];
            /** @description Absent when no attempt failed. */
            lastFailure?: components["schemas"]["WebhookFailure"];
            /** @description When the webhook was made. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description When its owner or this service last changed it. Deliveries leave it as it is. */
            updatedAt: components["schemas"]["Timestamp"];
        };
        /** @description All webhooks of the token's owner, oldest first. */
        WebhookList: {
            /** @description At most 20. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /** @description The request carries no bearer token, or one that is unknown, expired or revoked. */
        UnauthenticatedProblem: components["schemas"]["Problem"] & {
            /**
             * @example unauthenticated
             * @enum {string}
             */
            code?: "unauthenticated";
        };
        /** @description A webhook to make. All filters that are given must match an event; without any, every event of the chain is sent. */
        WebhookInput: {
            url: components["schemas"]["WebhookUrl"];
            /** @description What it is for. Optional; null counts as absent. */
            description?: components["schemas"]["WebhookDescription"];
            /** @description Only events of these types. Absent or null: of every type. */
            types?: components["schemas"]["EventType"][];
            /** @description Only events of transfers that one of these accounts pays or receives. Absent or null: of every account. */
            accounts?: components["schemas"]["Address"][];
            /**
             * @description Only events of transfers that the owner of the webhook submitted to this service. Absent or null: of every owner.
             * @example true
             */
            submittedOnly?: boolean;
        };
        /**
         * @description The key of the signature: `whsec_` and the base64 of 32 random bytes. It is in the answer that makes it and in no other; keep it as you keep a password.
         * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
         */
        WebhookSecret: string;
        /** @description A webhook with its new secret, which no other answer shows. */
        WebhookWithSecret: components["schemas"]["Webhook"] & {
            secret: components["schemas"]["WebhookSecret"];
        };
        /** @description The owner has a webhook with this URL already. */
        WebhookExistsProblem: components["schemas"]["Problem"] & {
            /**
             * @example webhook_exists
             * @enum {string}
             */
            code?: "webhook_exists";
        };
        /** @description The owner has as many webhooks as one owner may have. */
        TooManyWebhooksProblem: components["schemas"]["Problem"] & {
            /**
             * @example too_many_webhooks
             * @enum {string}
             */
            code?: "too_many_webhooks";
        };
        /** @description This service may not call the URL. */
        WebhookUrlRefusedProblem: components["schemas"]["Problem"] & {
            /**
             * @example webhook_url_refused
             * @enum {string}
             */
            code?: "webhook_url_refused";
        };
        /**
         * @description Messages are sent (`enabled`), or none is (`disabled`).
         * @example enabled
         * @enum {string}
         */
        WebhookStatusInput: "enabled" | "disabled";
        /**
         * @description From the place of the last event that was delivered (`position`), or from the chain's last block (`now`).
         * @example now
         * @enum {string}
         */
        WebhookResumeFrom: "position" | "now";
        /** @description What to change of a webhook. What is absent stays as it is. */
        WebhookUpdateInput: {
            /** @description Where messages are sent from now on, those that failed before too. */
            url?: components["schemas"]["WebhookUrl"];
            /** @description What it is for. An empty text removes it. */
            description?: components["schemas"]["WebhookDescription"];
            /** @description Only events of these types. An empty list removes this filter. Absent or null: it stays as it is. */
            types?: components["schemas"]["EventType"][];
            /** @description Only events of transfers that one of these accounts pays or receives. An empty list removes this filter. Absent or null: it stays as it is. */
            accounts?: components["schemas"]["Address"][];
            /**
             * @description Only events of transfers that the owner of the webhook submitted to this service. False removes this filter. Absent or null: it stays as it is.
             * @example true
             */
            submittedOnly?: boolean;
            /** @description `disabled` stops the messages. `enabled` starts them again at once, from the `position` of the webhook on unless `resumeFrom` says otherwise, so nothing is missed. */
            status?: components["schemas"]["WebhookStatusInput"];
            /** @description With `status` `enabled`: go on from `position`, or from `now`, which passes over what was not delivered. */
            resumeFrom?: components["schemas"]["WebhookResumeFrom"];
        };
        /** @description How a secret is replaced. */
        WebhookRotationInput: {
            /**
             * Format: int32
             * @description How long the secret from before signs too, so that receivers can be given the new one meanwhile: a message then has a signature by each. 0 ends every earlier secret at once. Null counts as absent.
             * @default 86400
             * @example 86400
             */
            overlapSeconds: number;
        };
        /** @description Something that was asked for before has to end first. */
        WebhookBusyProblem: components["schemas"]["Problem"] & {
            /**
             * @example webhook_busy
             * @enum {string}
             */
            code?: "webhook_busy";
        };
        /**
         * @description The `webhook-id` of a message, the same in every attempt: the id of the event, or a name that begins with `test_` or `disabled_`.
         * @example 1204-3
         */
        WebhookMessageId: string;
        /** @description A test message that was asked for and waits to be sent. */
        WebhookTestQueued: {
            webhookId: components["schemas"]["WebhookId"];
            /** @description The `webhook-id` that the message will have, and the `eventId` of its deliveries. */
            messageId: components["schemas"]["WebhookMessageId"];
        };
        /** @description The webhook is disabled, so nothing is sent to it. */
        WebhookDisabledProblem: components["schemas"]["Problem"] & {
            /**
             * @example webhook_disabled
             * @enum {string}
             */
            code?: "webhook_disabled";
        };
        /**
         * Format: int32
         * @description How many attempts a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.
         * @default 10
         * @example 10
         */
        WebhookDeliveryLimitValue: number;
        /**
         * @description What an attempt belonged to: `event`, `test` (testWebhook), `replay` (replayWebhook) or `disabled` (the notice that another webhook was disabled). The list may grow with a minor version of this contract.
         * @example event
         */
        WebhookDeliveryKind: "event" | "test" | "replay" | "disabled";
        /**
         * @description The receiver answered 2xx in time (`delivered`), or it did not (`failed`). The list may grow with a minor version of this contract.
         * @example delivered
         */
        WebhookOutcome: "delivered" | "failed";
        /** @description Why an attempt failed. */
        WebhookError: {
            code: components["schemas"]["WebhookFailureCode"];
            /**
             * @description What happened, in a sentence for people. Its wording may change.
             * @example The receiver did not answer within 15 seconds.
             */
            detail: string;
        };
        /** @description One attempt to send one message. */
        WebhookDelivery: {
            /**
             * @description The number of the attempt in the log of this webhook, in decimal digits; later attempts have higher ones.
             * @example 17
             */
            id: string;
            eventId: components["schemas"]["WebhookMessageId"];
            /**
             * @description The `type` of the message.
             * @example transaction.committed
             */
            type: string;
            kind: components["schemas"]["WebhookDeliveryKind"];
            /** @description When the attempt began. */
            at: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description 1 for the first attempt to send this message, 2 for the next.
             * @example 1
             */
            attempt: number;
            outcome: components["schemas"]["WebhookOutcome"];
            /**
             * Format: int32
             * @description The status of the receiver's answer. Absent when there was none.
             * @example 204
             */
            statusCode?: number;
            /**
             * Format: int64
             * @description How long the attempt took, in milliseconds.
             * @example 87
             */
            durationMs: number;
            /** @description Why it failed. Absent when it was delivered. */
            error?: components["schemas"]["WebhookError"];
            /**
             * @description The beginning of the body that the receiver answered with, at most 1,024 bytes of it. Absent when there was none, and always where the receiver is a private target that the operator allows.
             * @example unknown order
             */
            answer?: string;
        };
        /** @description One page of the log of a webhook, newest attempt first. The log keeps the last 1,000 attempts of a webhook. */
        WebhookDeliveryPage: {
            /** @description The attempts of this page, at most `limit` of them. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /** @description Which events to send again. */
        WebhookReplayInput: {
            /** @description Events behind this place are sent. */
            after: components["schemas"]["EventPlace"];
            /** @description The last place of which events are sent, itself included; not behind the `position` of the webhook, which it is when absent or null: what comes later is delivered anyway. At most 1,000,000 blocks lie between the two. */
            until?: components["schemas"]["EventPlace"];
        };
        /** @description A replay that was asked for and waits to be done. */
        WebhookReplay: {
            webhookId: components["schemas"]["WebhookId"];
            /** @description Events behind this place are sent again. */
            after: components["schemas"]["EventPlace"];
            /** @description The last place of which events are sent again. */
            until: components["schemas"]["EventPlace"];
        };
        /**
         * @description Tokens that can be used (`usable`), or all of them (`all`).
         * @default usable
         * @example usable
         * @enum {string}
         */
        TokenStateFilter: "usable" | "all";
        /**
         * Format: int32
         * @description How many items a page holds at most. Written as a plain decimal integer (`^[1-9][0-9]*$`): `1e2` and `0x10` are 400.
         * @default 10
         * @example 10
         */
        AccessPageLimit: number;
        /**
         * @description The name of a token, made by this service. It is no secret.
         * @example 3f0c9a1b2d4e5f60
         */
        TokenId: string;
        /**
         * @description Something that a token may do. The list may grow with a minor version of this contract.
         * @example transactions:read
         */
        TokenScope: "transactions:read" | "transactions:write" | "transactions:cancel-any" | "rpc:broadcast" | "webhooks:manage" | "access:manage";
        /** @description Limits that one token has instead of the service's. */
        TokenLimitsShown: {
            /**
             * Format: int32
             * @description Units of cost a second. Absent where the limit of the service applies.
             * @example 100
             */
            ratePerSecond?: number;
            /**
             * Format: int32
             * @description How many transfers the owner may have pending. Absent where the limit of the service applies.
             * @example 500
             */
            pendingMax?: number;
        };
        /** @description A token, without its secret. */
        AccessToken: {
            tokenId: components["schemas"]["TokenId"];
            owner: components["schemas"]["Owner"];
            /** @description What the token may do. */
            scopes: components["schemas"]["TokenScope"][];
            /** @description Absent where the limits of the service apply. */
            limits?: components["schemas"]["TokenLimitsShown"];
            /** @description When the token was made. */
            createdAt: components["schemas"]["Timestamp"];
            /** @description From when on the token is refused. Absent when it has no end. */
            expiresAt?: components["schemas"]["Timestamp"];
            /** @description When the token was revoked. Absent when it was not. */
            revokedAt?: components["schemas"]["Timestamp"];
            /** @description When the token was last used, to the minute. Absent when it was not. */
            lastUsedAt?: components["schemas"]["Timestamp"];
        };
        /** @description One page of tokens, newest first. */
        AccessTokenPage: {
            /** @description Those of this page, at most `limit` of them. */
            tokens: components["schemas"]["AccessToken"][];
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /** @description Limits of one token, above or below those of the service. What is absent is the service's own limit. */
        TokenLimits: {
            /**
             * Format: int32
             * @description Units of cost a second; those of two seconds may be used at once. A service without quotas has none for its tokens either.
             * @example 100
             */
            ratePerSecond?: number;
            /**
             * Format: int32
             * @description How many transfers the owner of the token may have pending when a further one is submitted with this token. Those that other tokens of the owner submitted are counted too.
             * @example 500
             */
            pendingMax?: number;
        };
        /** @description A token to make. */
        TokenInput: {
            owner: components["schemas"]["Owner"];
            /** @description What the token may do; the token of the request must have each of them. */
            scopes: components["schemas"]["TokenScope"][];
            /**
             * Format: int32
             * @description For how long the token holds. Absent or null: until it is revoked.
             * @example 7776000
             */
            expiresInSeconds?: number;
            /** @description Absent or null where the limits of the service apply. */
            limits?: components["schemas"]["TokenLimits"];
        };
        /**
         * @description What a client sends as `Authorization: Bearer`. Keep it like a password: this service stores only its hash.
         * @example txl_3f0c9a1b2d4e5f60_000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
         */
        TokenText: string;
        /** @description A new token with its text, which no other answer shows. */
        AccessTokenWithText: components["schemas"]["AccessToken"] & {
            token: components["schemas"]["TokenText"];
        };
        /** @description What to change of a token. What is absent stays as it is. */
        TokenUpdateInput: {
            /**
             * Format: int32
             * @description The token holds for so long from now on, which may be longer or shorter than before. Absent or null: its end stays.
             * @example 7776000
             */
            expiresInSeconds?: number;
            /** @description The limits of the token from now on, all of them; an empty object for those of the service. Absent or null, they stay. */
            limits?: components["schemas"]["TokenLimits"];
        };
        /** @description How a token is replaced. */
        TokenRotationInput: {
            /**
             * Format: int32
             * @description For how long the token before still holds, unless it ends before that anyway. 0 ends it at once. Null counts as absent.
             * @default 86400
             * @example 86400
             */
            overlapSeconds: number;
            /**
             * Format: int32
             * @description For how long the new token holds. Absent or null: for as long as the one before was made for.
             * @example 7776000
             */
            expiresInSeconds?: number;
        };
        /** @description The new token, with its text, and the one that it replaces. */
        TokenRotation: {
            made: components["schemas"]["AccessTokenWithText"];
            replaced: components["schemas"]["AccessToken"];
        };
        /** @description An address for which only one owner submits and cancels. */
        BoundAddress: {
            address: components["schemas"]["Address"];
            owner: components["schemas"]["Owner"];
            /** @description When it was bound. */
            boundAt: components["schemas"]["Timestamp"];
        };
        /** @description One page of bound addresses, in their order. */
        BoundAddressPage: {
            /** @description Those of this page, at most `limit` of them. */
            addresses: components["schemas"]["BoundAddress"][];
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /** @description To whom an address is bound. */
        AddressBindingInput: {
            owner: components["schemas"]["Owner"];
            /**
             * @description Whether the address may be taken from another owner. Absent or null: it may not.
             * @default false
             * @example true
             */
            replace: boolean;
        };
        /**
         * @description The prefix of this chain's addresses, `txl` in production, `txlt` for development and test.
         * @example txlt
         * @enum {string}
         */
        AddressPrefix: "txl" | "txlt";
        /** @description What amounts count. An amount is always a whole number of the smallest unit; `scale` says how to show it. */
        Currency: {
            /**
             * @description The name of the currency: three to twelve upper-case letters and digits, such as a code of ISO 4217. It is chosen once, in the genesis of the chain.
             * @example EUR
             */
            code: string;
            /**
             * Format: int32
             * @description How many digits of an amount stand behind the decimal point when it is shown: with a scale of 2, the amount 1250 is shown as 12.50.
             * @example 2
             */
            scale: number;
        };
        /**
         * @description The version of the service's software. It says nothing about the contract, whose version is in `Contract-Version`.
         * @example 0.1.0
         */
        ServiceVersion: string;
        /** @description What a caller needs to know about the chain before signing for it. */
        Chain: {
            chainId: components["schemas"]["ChainId"];
            addressPrefix: components["schemas"]["AddressPrefix"];
            /**
             * Format: int64
             * @description The height of the last block applied by this service; 0 before the first.
             * @example 42
             */
            height: number;
            /** @description The header time of the last block; the genesis time before the first. */
            lastBlockTime: components["schemas"]["Timestamp"];
            /** @description The clock of the service at this answer, which is about the time of the next block. Count a `validUntil` from the later of this and `lastBlockTime`: the last block of an idle chain can be two minutes old. */
            serviceTime?: components["schemas"]["Timestamp"];
            /**
             * Format: int32
             * @description The longest time, in milliseconds, that an executable transfer waits for its block.
             * @example 1000
             */
            blockIntervalMs: number;
            /**
             * Format: int32
             * @description How long, in milliseconds, a chain without anything to do waits before it makes an empty block. `lastBlockTime` of an idle chain can be up to twice as long ago.
             * @example 60000
             */
            idleBlockIntervalMs?: number;
            /**
             * @description SHA-256 of the bytes of the genesis file, 64 upper-case hex digits.
             * @example 5F1E2D4C8B7A69583746251403F2E1D0CFBEAD9C8B7A69584736251403F2E1D0
             */
            genesisHash: string;
            currency: components["schemas"]["Currency"];
            /** @description The least amount, in minor units, that opens an account: a transfer to an address that has no account yet moves at least so much. It is 1 where the genesis does not say otherwise. */
            openingMinimum: components["schemas"]["Amount"];
            /**
             * Format: int32
             * @description The format of the chain, which covers its genesis, its state and its transactions. A service carries on chains of one format only.
             * @example 2
             */
            format: number;
            version?: components["schemas"]["ServiceVersion"];
        };
        /** @description The process is up and answers. */
        Liveness: {
            /**
             * @description Always `ok`; a process that is not alive does not answer.
             * @example ok
             * @enum {string}
             */
            status: "ok";
            version?: components["schemas"]["ServiceVersion"];
            /**
             * @description The first hex digits of the commit that the service was built from; absent where the build does not tell it.
             * @example 3830eec6a1f2
             */
            commit?: string;
        };
        /** @description Too many connections are open, or too many bytes of answers wait to be read. */
        ServerBusyProblem: components["schemas"]["Problem"] & {
            /**
             * @example server_busy
             * @enum {string}
             */
            code?: "server_busy";
        };
        /**
         * @description What is checked: `engine` (the chain can be reached, carries on from the block applied last and trusts its clock), `block_age` (the last block is young enough), `store` (the database takes writes) and `accepting` (the service is not draining for a shutdown). The list may grow with a minor version of this contract: `ok` says the same for each.
         * @example engine
         */
        ReadinessCheckName: "engine" | "block_age" | "store" | "accepting";
        /** @description The outcome of one check. */
        ReadinessCheck: {
            name: components["schemas"]["ReadinessCheckName"];
            /**
             * @description Whether the check passed.
             * @example true
             */
            ok: boolean;
            /**
             * @description What was found, in a sentence for people.
             * @example The last block is 0.4 s old; up to 30 s is allowed.
             */
            detail: string;
        };
        /** @description Every check, each exactly once, whether it passed or not. */
        ReadinessChecks: components["schemas"]["ReadinessCheck"][];
        /** @description The service can take work. When it cannot, the answer is a ReadinessProblem with the same checks. */
        Readiness: {
            /**
             * @description Always `ready`.
             * @example ready
             * @enum {string}
             */
            status: "ready";
            checks: components["schemas"]["ReadinessChecks"];
        };
        /** @description The service cannot take work now. The code names the first check that failed: `engine_unavailable` for `engine` and `block_age`, `store_unavailable` for `store`, `shutting_down` for `accepting`. */
        ReadinessProblem: components["schemas"]["Problem"] & {
            /**
             * @description Which part keeps the service from taking work.
             * @example engine_unavailable
             * @enum {string}
             */
            code?: "engine_unavailable" | "store_unavailable" | "shutting_down";
            checks: components["schemas"]["ReadinessChecks"];
        };
        /**
         * @description Metrics in the Prometheus text exposition format, version 0.0.4, in seconds and other base units.
         * @example # HELP process_start_time_seconds Start time of the process since unix epoch in seconds.
         *     # TYPE process_start_time_seconds gauge
         *     process_start_time_seconds 1795253400
         */
        PrometheusText: string;
        /**
         * @description Metrics in the OpenMetrics text format, version 1.0.0, in seconds and other base units. The last line is `# EOF`.
         * @example # HELP process_start_time_seconds Start time of the process since unix epoch in seconds.
         *     # TYPE process_start_time_seconds gauge
         *     process_start_time_seconds 1795253400
         *     # EOF
         */
        OpenMetricsText: string;
        /** @description Links with one context. Its other members are named by the relation of their links, `service-desc`, `service-doc`, `service-meta`, `status` (RFC 8631) or `item` (RFC 6573), and hold an array of objects with `href` and often `type`. */
        ApiLinks: {
            /**
             * Format: uri-reference
             * @description What the links are about, this document or the base URL of the API, as a URI or relative to this document.
             * @example ../
             */
            anchor: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A set of links as RFC 9264 section 4.2 defines it. */
        ApiCatalog: {
            /** @description Links with the same context, an object each. */
            linkset: components["schemas"]["ApiLinks"][];
        };
        /** @description An OpenAPI 3.1 description of this API in one file: this contract, bundled. */
        OpenapiDocument: {
            /**
             * @description The version of the OpenAPI specification that the document follows.
             * @example 3.1.1
             */
            openapi: string;
            /** @description Title, version and license, an Info Object as OpenAPI 3.1 section 4.8.2 defines it. */
            info: {
                [key: string]: unknown;
            };
            /** @description The operations, a Paths Object as OpenAPI 3.1 section 4.8.8 defines it. */
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The service is being stopped and takes no new requests. */
        ShuttingDownProblem: components["schemas"]["Problem"] & {
            /**
             * @example shutting_down
             * @enum {string}
             */
            code?: "shutting_down";
        };
        /**
         * @description The bundled contract as YAML text.
         * @example openapi: 3.1.1
         */
        YamlText: string;
        /** @description A request of JSON-RPC 2.0 as CometBFT reads it. Members that it does not know are ignored. */
        RpcCall: {
            /**
             * @description The version of JSON-RPC. Not looked at.
             * @example 2.0
             */
            jsonrpc?: string;
            /**
             * @description What the answer repeats: text or a number, whose fraction is cut off. Without one the request is a notification, which is not carried out and is answered by nothing.
             * @example 1
             */
            id?: string | number | null;
            /**
             * @description The method, such as `block`.
             * @example block
             */
            method?: string;
            /**
             * @description The parameters by name in an object, or in the order of the method in an array. 64-bit integers are strings.
             * @example {
             *       "height": "4"
             *     }
             */
            params?: unknown;
        } & {
            [key: string]: unknown;
        };
        /** @description A request within a batch: the same as one alone. */
        RpcBatchedCall: {
            [key: string]: unknown;
        } & components["schemas"]["RpcCall"];
        /** @description Requests that are answered together. More than 10 are answered by one error -32600. */
        RpcCallBatch: components["schemas"]["RpcBatchedCall"][];
        /** @description The success of a request of JSON-RPC 2.0. */
        RpcReply: {
            /**
             * @description The version of JSON-RPC.
             * @example 2.0
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description The id of the request.
             * @example 1
             */
            id: string | number;
            /** @description What the method answers: `result` of the answer of its GET and POST operations. */
            result: unknown;
        };
        /** @description What went wrong, as JSON-RPC 2.0 section 5.1 says it. */
        RpcError: {
            /**
             * Format: int32
             * @description The kind of error: -32700 not JSON, -32600 not a request, -32601 no such method, -32602 wrong parameters, -32603 the method failed, -32001 a token with rpc:broadcast is needed, or one with transactions:read.
             * @example -32603
             */
            code: number;
            /**
             * @description The kind of error in words, the same for every occurrence of a code.
             * @example Internal error
             */
            message: string;
            /**
             * @description This occurrence. The words are those of CometBFT, as light clients match some of them.
             * @example height 999999 must be less than or equal to the current blockchain height 7
             */
            data?: string;
        };
        /** @description The failure of a request of JSON-RPC 2.0. */
        RpcErrorReply: {
            /**
             * @description The version of JSON-RPC.
             * @example 2.0
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description The id of the request. Absent where it could not be read.
             * @example 1
             */
            id?: string | number;
            /** @description What went wrong. */
            error: components["schemas"]["RpcError"];
        };
        /** @description An answer within a batch. It has either `result`, as RpcReply, or `error`, as RpcErrorReply. */
        RpcBatchedReply: {
            /**
             * @description The version of JSON-RPC.
             * @example 2.0
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * @description The id of the request. Absent where it could not be read.
             * @example 1
             */
            id?: string | number;
            /** @description What the method answers: `result` of the answer of its GET and POST operations. */
            result?: unknown;
            /** @description What went wrong. */
            error?: components["schemas"]["RpcError"];
        };
        /** @description The answers to a batch, in its order, without notifications. One alone is answered as an object, not as an array. */
        RpcReplyBatch: components["schemas"]["RpcBatchedReply"][];
        /**
         * @description Nothing: what notifications are answered by.
         * @example
         */
        RpcSilence: string;
        /** @description The envelope of every answer, as CometBFT makes it for requests that are not JSON-RPC. */
        RpcAnswer: {
            /**
             * @description The version of JSON-RPC.
             * @example 2.0
             * @enum {string}
             */
            jsonrpc: "2.0";
            /**
             * Format: int32
             * @description Always -1: a request that is not JSON-RPC has no id.
             * @example -1
             * @enum {integer}
             */
            id: -1;
        };
        /**
         * @description An integer of up to 64 bits, 0 or more, as decimal text: CometBFT writes every 64-bit integer as a string.
         * @example 4
         */
        RpcCount: string;
        /**
         * @description Bytes in base64 with padding (RFC 4648 section 4).
         * @example eyJiYWxhbmNlIjoiOTk5OTk5OTcwIiwibm9uY2UiOjZ9
         */
        RpcBytes: string;
        /** @description What the ledger says of itself. */
        RpcApplicationInfo: {
            /**
             * @description The name of the application.
             * @example spike-ledger
             */
            data: string;
            /**
             * @description The version of the software.
             * @example 0.0.1
             */
            version: string;
            /** @description The version of the ledger's protocol, the one in headers. */
            app_version: components["schemas"]["RpcCount"];
            /** @description The last block that the ledger has executed; absent before the first. */
            last_block_height?: components["schemas"]["RpcCount"];
            /** @description The commitment to its state after that block, 32 bytes; absent before the first. */
            last_block_app_hash?: components["schemas"]["RpcBytes"];
        };
        /** @description The answer of the ledger. */
        RpcAbciInfo: {
            /** @description What the ledger says of itself. */
            response: components["schemas"]["RpcApplicationInfo"];
        };
        /** @description The answer of abci_info, in CometBFT's envelope. */
        RpcAbciInfoAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcAbciInfo"];
        };
        /** @description An error of a method, in CometBFT's envelope. */
        RpcFailure: components["schemas"]["RpcAnswer"] & {
            /** @description What went wrong. */
            error: components["schemas"]["RpcError"];
        };
        /** @description No parameters: an empty object. */
        RpcNoParams: Record<string, never>;
        /**
         * @description A text as CometBFT reads it from a query string: a JSON string, double quotes included.
         * @example "/store/accounts/key"
         */
        RpcPathText: string;
        /**
         * @description Bytes as CometBFT reads them from a query string: `0x` and hex digits, or a JSON string in double quotes whose UTF-8 they are.
         * @example 0x7478
         * @example "tx"
         */
        RpcBytesText: string;
        /**
         * @description An integer of 0 or more as CometBFT reads it from a query string: plain decimal text, or the same in double quotes.
         * @example 0
         * @example "0"
         */
        RpcCountText: string;
        /**
         * @description A sentence for people. It is no part of any hash and may change; programs read the code.
         * @example nonce out of order: expected 6 got 999
         */
        RpcLog: string;
        /**
         * @description A signed 64-bit integer as decimal text: CometBFT writes every 64-bit integer as a string.
         * @example -1
         */
        RpcInteger: string;
        /** @description One step of a proof. */
        RpcProofOp: {
            /**
             * @description How the step is verified; `simple:v` is a path in a tree.
             * @example simple:v
             */
            type: string;
            /** @description What the step proves: the key in its store, then the name of the store. */
            key: components["schemas"]["RpcBytes"];
            /** @description The step, in CometBFT's protobuf encoding. */
            data: components["schemas"]["RpcBytes"];
        };
        /** @description A proof in steps, from the value outwards to the app_hash. */
        RpcProofOps: {
            /** @description The steps, inner one first. */
            ops: components["schemas"]["RpcProofOp"][];
        };
        /**
         * @description Whose list of codes the code is from; the empty string beside code 0.
         * @example txledger
         */
        RpcCodespace: string;
        /** @description What the ledger answers to a query. */
        RpcQueryAnswer: {
            /**
             * Format: int64
             * @description 0 when the query was answered; otherwise why not, from the list of codes that `codespace` names.
             * @example 0
             */
            code: number;
            /** @description Why the query was not answered; the empty string otherwise. */
            log: components["schemas"]["RpcLog"];
            /** @description Always the empty string. */
            info: components["schemas"]["RpcLog"];
            /** @description Always 0. */
            index: components["schemas"]["RpcInteger"];
            /** @description The key that was asked for; null when the path has none. */
            key: components["schemas"]["RpcBytes"] | null;
            /** @description The value; null without one. */
            value: components["schemas"]["RpcBytes"] | null;
            /** @description That the value is in the state; null unless `prove` asked for it. */
            proofOps: components["schemas"]["RpcProofOps"] | null;
            /** @description The version of the state that was read. Its app_hash is in the header one above. */
            height: components["schemas"]["RpcCount"];
            /** @description Whose list of codes `code` is from. */
            codespace: components["schemas"]["RpcCodespace"];
        };
        /** @description The answer of the ledger. */
        RpcAbciQuery: {
            /** @description What was found. */
            response: components["schemas"]["RpcQueryAnswer"];
        };
        /** @description The answer of abci_query, in CometBFT's envelope. */
        RpcAbciQueryAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcAbciQuery"];
        };
        /**
         * @description Bytes as hex digits in either case.
         * @example 7478
         */
        RpcHexBytes: string;
        /** @description A question to the ledger. */
        RpcAbciQueryParams: {
            /**
             * @description What is asked for. `/store/accounts/key` and `/store/governance/key` read the state and can prove it; `/account` answers for an address and `/governance` for roles, validators and rules, without proof; `/check_tx` says of a transaction whether the mempool would take it, and keeps nothing.
             * @example /store/accounts/key
             */
            path: string;
            /** @description The key, in hex: the bytes of an address for `/store/accounts/key` and `/account`; for `/check_tx` the transaction. */
            data?: components["schemas"]["RpcHexBytes"];
            /** @description The version of the state. 0, or left out, is the latest that a header commits to. */
            height?: components["schemas"]["RpcCount"];
            /**
             * @description Whether the answer carries a proof that the value is in the state.
             * @example true
             */
            prove?: boolean;
        };
        /**
         * @description A height of 1 or more as CometBFT reads it from a query string: plain decimal text, or the same in double quotes.
         * @example 4
         * @example "4"
         */
        RpcHeightText: string;
        /**
         * @description A SHA-256, as 64 upper-case hex digits, or the empty string for the absence of one.
         * @example 67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
         */
        RpcOptionalHash: string;
        /** @description How a block was cut into parts of 65,536 bytes for gossip. */
        RpcPartSetHeader: {
            /**
             * Format: int64
             * @description The number of parts; 0 where there is no block.
             * @example 1
             */
            total: number;
            /** @description The root of the tree over the parts. */
            hash: components["schemas"]["RpcOptionalHash"];
        };
        /** @description What names a block in votes: the hash of its header and its parts. All empty where there is no block. */
        RpcBlockId: {
            /** @description The hash of the header. */
            hash: components["schemas"]["RpcOptionalHash"];
            /** @description The parts of the encoded block. */
            parts: components["schemas"]["RpcPartSetHeader"];
        };
        /** @description The protocols that a block follows. */
        RpcConsensusVersion: {
            /** @description The version of CometBFT's block protocol. */
            block: components["schemas"]["RpcCount"];
            /** @description The version of the ledger's own protocol. */
            app: components["schemas"]["RpcCount"];
        };
        /**
         * @description The name of a chain, as CometBFT allows it; at most 50 characters.
         * @example test-chain-TiD55y
         */
        RpcChainId: string;
        /**
         * @description A SHA-256, as 64 upper-case hex digits.
         * @example 67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
         */
        RpcHash: string;
        /**
         * @description A validator's address: the first 20 bytes of the SHA-256 of its public key, as 40 upper-case hex digits.
         * @example 41B2055ED15EFB56364B2543EE7E73F05C38BED4
         */
        RpcValidatorAddress: string;
        /** @description The header of a block. Its hash, over these fields in this order, is what validators sign. */
        RpcHeader: {
            /** @description The protocols that the block follows. */
            version: components["schemas"]["RpcConsensusVersion"];
            /** @description The chain that the block belongs to. */
            chain_id: components["schemas"]["RpcChainId"];
            /** @description The number of the block, counted from 1. */
            height: components["schemas"]["RpcCount"];
            /** @description The time of the block, UTC, in nanoseconds. It strictly increases from block to block. */
            time: components["schemas"]["Timestamp"];
            /** @description The block before; empty at height 1. */
            last_block_id: components["schemas"]["RpcBlockId"];
            /** @description The root of the tree over the signatures for the block before. */
            last_commit_hash: components["schemas"]["RpcHash"];
            /** @description The root of the tree over the hashes of the transactions of this block. */
            data_hash: components["schemas"]["RpcHash"];
            /** @description The root of the tree over the validators that sign this block. */
            validators_hash: components["schemas"]["RpcHash"];
            /** @description The root of the tree over the validators that sign the next block. */
            next_validators_hash: components["schemas"]["RpcHash"];
            /** @description The hash of the consensus parameters of this block. */
            consensus_hash: components["schemas"]["RpcHash"];
            /** @description The commitment to the state of the ledger after the block before. */
            app_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The root of the tree over the results of the transactions of the block before. */
            last_results_hash: components["schemas"]["RpcHash"];
            /** @description The root of the tree over the evidence in this block. */
            evidence_hash: components["schemas"]["RpcHash"];
            /** @description The validator that proposed the block. */
            proposer_address: components["schemas"]["RpcValidatorAddress"];
        };
        /** @description What a block carries. */
        RpcBlockData: {
            /** @description The raw transactions in the order of execution, each in base64. */
            txs: components["schemas"]["RpcBytes"][];
        };
        /** @description Proof that validators misbehaved, as CometBFT tags it. A chain of one validator has none. */
        RpcEvidence: {
            /**
             * @description The kind of misbehaviour.
             * @example tendermint/DuplicateVoteEvidence
             * @enum {string}
             */
            type: "tendermint/DuplicateVoteEvidence" | "tendermint/LightClientAttackEvidence";
            /** @description The two votes or the conflicting block, in CometBFT's JSON. */
            value: {
                [key: string]: unknown;
            };
        };
        /** @description The evidence in a block. */
        RpcEvidenceList: {
            /** @description Each proof of misbehaviour; empty almost always. */
            evidence: components["schemas"]["RpcEvidence"][];
        };
        /**
         * Format: int32
         * @description What a validator signed: 1 nothing (absent), 2 the block, 3 nil.
         * @example 2
         * @enum {integer}
         */
        RpcBlockIdFlag: 1 | 2 | 3;
        /** @description The signature of one validator under a block, or its absence. */
        RpcCommitSignature: {
            /** @description Whether the validator signed the block, nil, or nothing. */
            block_id_flag: components["schemas"]["RpcBlockIdFlag"];
            /**
             * @description The validator; the empty string when it is absent.
             * @example 41B2055ED15EFB56364B2543EE7E73F05C38BED4
             */
            validator_address: string;
            /** @description When the validator signed; year 1 when it is absent. */
            timestamp: components["schemas"]["Timestamp"];
            /** @description The Ed25519 signature, 64 bytes; null when the validator is absent. */
            signature: components["schemas"]["RpcBytes"] | null;
        };
        /** @description What makes a block final: the signatures of validators with more than two thirds of the voting power. */
        RpcCommit: {
            /** @description The block that is signed; 0 in the block at height 1, which has none before it. */
            height: components["schemas"]["RpcCount"];
            /**
             * Format: int32
             * @description The round of consensus, counted from 0, in which the block was decided.
             * @example 0
             */
            round: number;
            /** @description The block that is signed. */
            block_id: components["schemas"]["RpcBlockId"];
            /** @description A signature or its absence for each validator, in the order of the validator set. */
            signatures: components["schemas"]["RpcCommitSignature"][];
        };
        /** @description A block. */
        RpcBlock: {
            /** @description What is signed. */
            header: components["schemas"]["RpcHeader"];
            /** @description The transactions. */
            data: components["schemas"]["RpcBlockData"];
            /** @description Misbehaviour that the block punishes. */
            evidence: components["schemas"]["RpcEvidenceList"];
            /** @description The signatures under the block before. */
            last_commit: components["schemas"]["RpcCommit"];
        };
        /** @description A block with its name, or neither when there is no such block. */
        RpcFoundBlock: {
            /** @description The name of the block; empty without one. */
            block_id: components["schemas"]["RpcBlockId"];
            /** @description The block; null when no block has the hash, and before the first block. */
            block: components["schemas"]["RpcBlock"] | null;
        };
        /** @description The answer of block, in CometBFT's envelope. */
        RpcBlockAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcFoundBlock"];
        };
        /**
         * @description A height of 1 or more as decimal text: CometBFT reads 64-bit integers from strings.
         * @example 4
         */
        RpcHeightInput: string;
        /** @description Which block. */
        RpcHeightParams: {
            /** @description The block. Left out, the latest that the method knows. */
            height?: components["schemas"]["RpcHeightInput"];
        };
        /**
         * @description A hash as CometBFT reads it from a query string: `0x` and 64 hex digits in either case.
         * @example 0x67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
         */
        RpcHashText: string;
        /** @description The answer of block_by_hash, in CometBFT's envelope. */
        RpcBlockByHashAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcFoundBlock"];
        };
        /**
         * @description A hash of 32 bytes in base64 with padding.
         * @example Z2IafFl622Wfz7/3UMW6ynhYgNLEVKnUxwNrOS5tuGo=
         */
        RpcBase64Hash: string;
        /** @description Which block. */
        RpcBlockByHashParams: {
            /** @description The hash of the block, in base64. */
            hash: components["schemas"]["RpcBase64Hash"];
        };
        /**
         * Format: int64
         * @description What the ledger says to a transaction or a query: 0 success, 1 executed and failed, 10 and above refused without any effect.
         * @example 0
         */
        RpcResultCode: number;
        /** @description One fact about an event. */
        RpcEventAttribute: {
            /**
             * @description The name of the fact.
             * @example from
             */
            key: string;
            /**
             * @description The fact.
             * @example bc525549013fac3ffc462065c622acc52d9c8b2a509407c7bd575a5e827d313d
             */
            value: string;
            /**
             * @description Whether searches can find it, under `{type}.{key}`.
             * @example true
             */
            index: boolean;
        };
        /** @description What happened when a transaction or a block was executed. */
        RpcEvent: {
            /**
             * @description The kind of event.
             * @example transfer
             */
            type: string;
            /** @description The facts, in a fixed order. */
            attributes: components["schemas"]["RpcEventAttribute"][];
        };
        /** @description What became of a transaction. */
        RpcTxResult: {
            /** @description 0 when the transaction had its effect, 1 when it was executed and failed, 10 and above when it was refused. */
            code: components["schemas"]["RpcResultCode"];
            /** @description What the ledger returns; null, as it returns nothing. */
            data: components["schemas"]["RpcBytes"] | null;
            /** @description Why it failed or was refused; the empty string otherwise. */
            log: components["schemas"]["RpcLog"];
            /** @description Always the empty string. */
            info: components["schemas"]["RpcLog"];
            /** @description Work that the transaction asks for, in gas; the ledger does not count any. */
            gas_wanted: components["schemas"]["RpcInteger"];
            /** @description Work that the transaction took, in gas; the ledger does not count any. */
            gas_used: components["schemas"]["RpcInteger"];
            /** @description What happened, in order. */
            events: components["schemas"]["RpcEvent"][];
            /** @description Whose list of codes `code` is from. */
            codespace: components["schemas"]["RpcCodespace"];
        };
        /** @description An Ed25519 key. */
        RpcEd25519Key: {
            /** @description The 32 bytes of the key. */
            ed25519: components["schemas"]["RpcBytes"];
        };
        /** @description One kind of public key. */
        RpcPublicKeyVariant: {
            /**
             * @description CometBFT's name for the variant.
             * @example tendermint.crypto.PublicKey_Ed25519
             * @enum {string}
             */
            type: "tendermint.crypto.PublicKey_Ed25519";
            /** @description The key. */
            value: components["schemas"]["RpcEd25519Key"];
        };
        /** @description A public key as CometBFT's protobuf JSON nests it. */
        RpcPublicKeySum: {
            /** @description The one kind of key that there is, with the key. */
            Sum: components["schemas"]["RpcPublicKeyVariant"];
        };
        /** @description A change of the validator set. */
        RpcValidatorUpdate: {
            /** @description The key of the validator. */
            pub_key: components["schemas"]["RpcPublicKeySum"];
            /** @description Its voting power from the second block after; absent when it is removed. */
            power?: components["schemas"]["RpcCount"];
        };
        /** @description Bounds of a block. */
        RpcBlockParams: {
            /** @description The largest block in bytes: 104857600, the most that CometBFT allows. A chain that was made before version 1.3 of this contract says -1, which is the same bound. */
            max_bytes: components["schemas"]["RpcInteger"];
            /** @description The most gas in a block; -1 is no bound. */
            max_gas: components["schemas"]["RpcInteger"];
        };
        /** @description Bounds of evidence. */
        RpcEvidenceParams: {
            /** @description For how many blocks misbehaviour can be punished. */
            max_age_num_blocks: components["schemas"]["RpcCount"];
            /** @description For how many nanoseconds misbehaviour can be punished. */
            max_age_duration: components["schemas"]["RpcCount"];
            /** @description The most evidence in a block in bytes. */
            max_bytes: components["schemas"]["RpcCount"];
        };
        /** @description Which keys validators may have. */
        RpcValidatorParams: {
            /** @description The kinds of keys. */
            pub_key_types: "ed25519"[];
        };
        /** @description Versions. */
        RpcVersionParams: {
            /** @description The version of the application as genesis gives it; headers carry the one that the application reports. */
            app: components["schemas"]["RpcCount"];
        };
        /** @description Parameters of the interface to the application. */
        RpcAbciParams: {
            /** @description From which block on votes are extended; 0 is never. */
            vote_extensions_enable_height: components["schemas"]["RpcCount"];
        };
        /** @description Who may change the parameters of consensus, as nodes of CometBFT v0.39 tell it. Blocks of this chain never use it: governance of the chain does. */
        RpcAuthorityParams: {
            /**
             * @description The authority's name; the empty string, unless genesis names one.
             * @example
             */
            authority: string;
        };
        /** @description The parameters of consensus, the same for all validators. */
        RpcConsensusParams: {
            /** @description Bounds of a block. */
            block: components["schemas"]["RpcBlockParams"];
            /** @description Bounds of evidence. */
            evidence: components["schemas"]["RpcEvidenceParams"];
            /** @description Which keys validators may have. */
            validator: components["schemas"]["RpcValidatorParams"];
            /** @description Versions. */
            version: components["schemas"]["RpcVersionParams"];
            /** @description Parameters of the interface to the application. */
            abci: components["schemas"]["RpcAbciParams"];
            /** @description Absent where the node is of CometBFT v0.38. */
            authority?: components["schemas"]["RpcAuthorityParams"];
        };
        /** @description What became of the transactions of a block. */
        RpcBlockResults: {
            /** @description The block. */
            height: components["schemas"]["RpcCount"];
            /** @description What became of each transaction, in the order of the block; null when the block has none. */
            txs_results: components["schemas"]["RpcTxResult"][] | null;
            /** @description What happened in the block besides its transactions; null when nothing did. */
            finalize_block_events: components["schemas"]["RpcEvent"][] | null;
            /** @description How the validator set changes; null when it does not. */
            validator_updates: components["schemas"]["RpcValidatorUpdate"][] | null;
            /** @description How the consensus parameters change; null, as the ledger never changes them. */
            consensus_param_updates: components["schemas"]["RpcConsensusParams"] | null;
            /** @description The commitment to the state of the ledger after the block, 32 bytes. It is in the header of the next one. */
            app_hash: components["schemas"]["RpcBytes"];
        };
        /** @description The answer of block_results, in CometBFT's envelope. */
        RpcBlockResultsAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBlockResults"];
        };
        /**
         * @description A search as CometBFT reads it from a query string: a JSON string, double quotes included.
         * @example "tx.height=4"
         */
        RpcQueryText: string;
        /**
         * @description An order as CometBFT reads it from a query string: a JSON string, double quotes included.
         * @example "desc"
         */
        RpcOrderText: string;
        /** @description A block with its name. */
        RpcBlockResult: {
            /** @description The name of the block. */
            block_id: components["schemas"]["RpcBlockId"];
            /** @description The block. */
            block: components["schemas"]["RpcBlock"];
        };
        /** @description Where a page that ended early continues. The same search with this `page` and `per_page` begins with the item after the last one, and misses none. Not part of CometBFT's answers, whose clients ignore it. */
        RpcNextPage: {
            /** @description The page to ask for, counted from 1. */
            page: components["schemas"]["RpcCount"];
            /** @description The size of that page. */
            per_page: components["schemas"]["RpcCount"];
        };
        /** @description A page of the blocks that a search found. */
        RpcBlockPage: {
            /** @description The blocks of this page, in the order asked for. */
            blocks: components["schemas"]["RpcBlockResult"][];
            /** @description How many blocks the search found on all pages. */
            total_count: components["schemas"]["RpcCount"];
            /** @description Where to continue when the page ended early, because its text would have been longer than 1 MiB. The page then holds fewer items than `per_page`. Left out when the page is whole. */
            next?: components["schemas"]["RpcNextPage"];
        };
        /** @description The answer of block_search, in CometBFT's envelope. */
        RpcBlockSearchAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBlockPage"];
        };
        /**
         * @description A search: conditions `key operator value` joined by AND, at most 8 of them and 512 characters. Operators are =, <, <=, >, >=, CONTAINS and EXISTS; texts stand in single quotes, numbers and `DATE` and `TIME` values do not. Keys are `tx.hash`, `tx.height` or `block.height`, and `{type}.{key}` of every indexed attribute of an event.
         * @example tx.height=4
         * @example transfer.from='txlt1…' AND tx.height>4
         */
        RpcQuery: string;
        /**
         * @description `asc` from the earliest, `desc` from the latest.
         * @example desc
         * @enum {string}
         */
        RpcOrder: "asc" | "desc";
        /** @description A search for blocks. */
        RpcBlockSearchParams: {
            /** @description Which blocks. */
            query: components["schemas"]["RpcQuery"];
            /** @description Which page, counted from 1. Left out, the first. */
            page?: components["schemas"]["RpcHeightInput"];
            /** @description How many the page holds at most: 30 when left out, never more than 100. */
            per_page?: components["schemas"]["RpcCount"];
            /** @description The order. Left out, from the latest. */
            order_by?: components["schemas"]["RpcOrder"];
        };
        /** @description What is known of a block without its content. */
        RpcBlockMeta: {
            /** @description The name of the block. */
            block_id: components["schemas"]["RpcBlockId"];
            /** @description The size of the encoded block in bytes. */
            block_size: components["schemas"]["RpcInteger"];
            /** @description The header of the block. */
            header: components["schemas"]["RpcHeader"];
            /** @description The number of transactions in the block. */
            num_txs: components["schemas"]["RpcCount"];
        };
        /** @description Headers of a range of blocks, from the highest down. */
        RpcBlockchain: {
            /** @description The height of the latest block. */
            last_height: components["schemas"]["RpcCount"];
            /** @description The blocks of the range, at most 20, from the highest down. */
            block_metas: components["schemas"]["RpcBlockMeta"][];
        };
        /** @description The answer of blockchain, in CometBFT's envelope. */
        RpcBlockchainAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBlockchain"];
        };
        /** @description A range of blocks. */
        RpcBlockchainParams: {
            /** @description The lowest block. "0", or left out, is the first; of a longer range the answer has the 20 highest blocks. */
            minHeight?: components["schemas"]["RpcCount"];
            /** @description The highest block. "0", or left out, is the latest. */
            maxHeight?: components["schemas"]["RpcCount"];
        };
        /**
         * @description Evidence in CometBFT's tagged JSON, as text.
         * @example {"type":"tendermint/DuplicateVoteEvidence","value":{}}
         */
        RpcEvidenceText: string;
        /** @description That the evidence was taken in. */
        RpcBroadcastEvidenceResult: {
            /** @description The hash of the evidence, 32 bytes. */
            hash: components["schemas"]["RpcBytes"];
        };
        /** @description The answer of broadcast_evidence, in CometBFT's envelope. */
        RpcBroadcastEvidenceAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBroadcastEvidenceResult"];
        };
        /** @description Evidence of misbehaviour. */
        RpcBroadcastEvidenceParams: {
            /** @description The evidence. */
            evidence: components["schemas"]["RpcEvidence"];
        };
        /** @description What the mempool said to a transaction. It settles nothing: a block does. */
        RpcBroadcastResult: {
            /** @description 0 when the transaction passed the check, 10 and above when it was refused. `broadcast_tx_async` does not wait for the check and always says 0. */
            code: components["schemas"]["RpcResultCode"];
            /**
             * @description Always the empty string.
             * @example
             */
            data: string;
            /** @description Why it was refused; the empty string otherwise. */
            log: components["schemas"]["RpcLog"];
            /** @description Whose list of codes `code` is from. */
            codespace: components["schemas"]["RpcCodespace"];
            /** @description SHA-256 of the raw transaction: the txHash, under which it is found here and in the REST API. */
            hash: components["schemas"]["RpcHash"];
        };
        /** @description The answer of broadcast_tx_async and broadcast_tx_sync, in CometBFT's envelope. */
        RpcBroadcastAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBroadcastResult"];
        };
        /** @description A signed transaction. */
        RpcTransactionParams: {
            /** @description The raw bytes of the transaction, in base64 with padding. */
            tx: components["schemas"]["RpcBytes"];
        };
        /** @description What became of a transaction that was waited for. */
        RpcBroadcastCommitResult: {
            /** @description What the mempool said. With a code other than 0 the transaction went no further. */
            check_tx: components["schemas"]["RpcTxResult"];
            /** @description What the block said; all zero and empty when the transaction is in none. */
            tx_result: components["schemas"]["RpcTxResult"];
            /** @description SHA-256 of the raw transaction: the txHash. */
            hash: components["schemas"]["RpcHash"];
            /** @description The block that the transaction is in; 0 when it is in none. */
            height: components["schemas"]["RpcCount"];
        };
        /** @description The answer of broadcast_tx_commit, in CometBFT's envelope. */
        RpcBroadcastTxCommitAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcBroadcastCommitResult"];
        };
        /** @description The answer of check_tx, in CometBFT's envelope. */
        RpcCheckTxAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcTxResult"];
        };
        /** @description A header with the signatures that make it final: what a light client verifies. */
        RpcSignedHeader: {
            /** @description The header. */
            header: components["schemas"]["RpcHeader"];
            /** @description The signatures under it. */
            commit: components["schemas"]["RpcCommit"];
        };
        /** @description A header and the signatures under it. */
        RpcCommitResult: {
            /** @description The header with its signatures. */
            signed_header: components["schemas"]["RpcSignedHeader"];
            /**
             * @description Whether these signatures are the ones that stand in the next block. False for the latest block, whose signatures may still differ from node to node.
             * @example true
             */
            canonical: boolean;
        };
        /** @description The answer of commit, in CometBFT's envelope. */
        RpcCommitAnswer: components["schemas"]["RpcAnswer"] & {
            /** @description The header and its signatures; null before the first block. */
            result: components["schemas"]["RpcCommitResult"] | null;
        };
        /** @description The parameters of consensus at a height. */
        RpcConsensusParamsResult: {
            /** @description The block that they hold for. */
            block_height: components["schemas"]["RpcCount"];
            /** @description The parameters. */
            consensus_params: components["schemas"]["RpcConsensusParams"];
        };
        /** @description The answer of consensus_params, in CometBFT's envelope. */
        RpcConsensusParamsAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcConsensusParamsResult"];
        };
        /**
         * @description A vote in CometBFT's debug output, or `nil-Vote`.
         * @example nil-Vote
         */
        RpcVoteText: string;
        /**
         * @description Votes of the validators in order, `x` there and `_` missing, then the voting power there, of all, and the share, as CometBFT's debug output words it.
         * @example BA{1:x} 10/10 = 1.00
         */
        RpcBitArray: string;
        /** @description The votes of one round. */
        RpcHeightVotes: {
            /**
             * Format: int32
             * @description The round, counted from 0.
             * @example 0
             */
            round: number;
            /** @description The first votes, in the order of the validator set. */
            prevotes: components["schemas"]["RpcVoteText"][];
            /** @description Which first votes are there. */
            prevotes_bit_array: components["schemas"]["RpcBitArray"];
            /** @description The second votes, in the order of the validator set. */
            precommits: components["schemas"]["RpcVoteText"][];
            /** @description Which second votes are there. */
            precommits_bit_array: components["schemas"]["RpcBitArray"];
        };
        /** @description The validator whose turn it is. */
        RpcProposerPlace: {
            /** @description The validator. */
            address: components["schemas"]["RpcValidatorAddress"];
            /**
             * Format: int32
             * @description Its place in the validator set, counted from 0.
             * @example 0
             */
            index: number;
        };
        /** @description The state of consensus, in short. */
        RpcRoundStateSummary: {
            /**
             * @description The block being made, the round, and the step of the round: 1 new height, 2 new round, 3 propose, 4 prevote, 5 prevote wait, 6 precommit, 7 precommit wait, 8 commit.
             * @example 8/0/1
             */
            "height/round/step": string;
            /** @description When the height begins. */
            start_time: components["schemas"]["Timestamp"];
            /** @description The block that is proposed. */
            proposal_block_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The block that this node is locked on. */
            locked_block_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The block that this node knows to be valid. */
            valid_block_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The votes of each round. */
            height_vote_set: components["schemas"]["RpcHeightVotes"][];
            /** @description The validator whose turn it is. */
            proposer: components["schemas"]["RpcProposerPlace"];
        };
        /** @description The state of consensus, in short. */
        RpcConsensusState: {
            /** @description The state of the round. */
            round_state: components["schemas"]["RpcRoundStateSummary"];
        };
        /** @description The answer of consensus_state, in CometBFT's envelope. */
        RpcConsensusStateAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcConsensusState"];
        };
        /** @description A public key with its kind. */
        RpcPublicKey: {
            /**
             * @description CometBFT's name for an Ed25519 key.
             * @example tendermint/PubKeyEd25519
             * @enum {string}
             */
            type: "tendermint/PubKeyEd25519";
            /**
             * @description The 32 bytes of the key, in base64.
             * @example dw7kBKeCJD82HkYFuTx11UNf8LmZQLPsxKN+nJyAFps=
             */
            value: string;
        };
        /** @description A validator. */
        RpcValidator: {
            /** @description Its address. */
            address: components["schemas"]["RpcValidatorAddress"];
            /** @description Its key. */
            pub_key: components["schemas"]["RpcPublicKey"];
            /** @description Its voting power. */
            voting_power: components["schemas"]["RpcCount"];
            /** @description How near its turn to propose is: the highest is next. */
            proposer_priority: components["schemas"]["RpcInteger"];
        };
        /** @description The validators of a block. */
        RpcValidatorSet: {
            /** @description The validators, in the order of their voting power. */
            validators: components["schemas"]["RpcValidator"][];
            /** @description The one whose turn it is to propose; null in a set of none, as before the first block. */
            proposer: components["schemas"]["RpcValidator"] | null;
        };
        /** @description The votes under the block before. */
        RpcVoteSet: {
            /** @description The votes, in the order of the validator set. */
            votes: components["schemas"]["RpcVoteText"][];
            /** @description Which votes are there. */
            votes_bit_array: components["schemas"]["RpcBitArray"];
            /** @description Which peers claim to have seen two thirds, by their id. */
            peer_maj_23s: {
                [key: string]: unknown;
            };
        };
        /** @description The state of consensus, as CometBFT's debug output tells it. For people: its form is not that of a promise. */
        RpcRoundState: {
            /** @description The block being made. */
            height: components["schemas"]["RpcCount"];
            /**
             * Format: int32
             * @description The round, counted from 0.
             * @example 0
             */
            round: number;
            /**
             * Format: int32
             * @description The step of the round: 1 new height, 2 new round, 3 propose, 4 prevote, 5 prevote wait, 6 precommit, 7 precommit wait, 8 commit.
             * @example 1
             */
            step: number;
            /** @description When the height begins. */
            start_time: components["schemas"]["Timestamp"];
            /** @description When the block before was decided. */
            commit_time: components["schemas"]["Timestamp"];
            /** @description The validators of the block being made. */
            validators: components["schemas"]["RpcValidatorSet"];
            /** @description The proposal of this round; null before there is one. */
            proposal: {
                [key: string]: unknown;
            } | null;
            /** @description The block that is proposed; null before there is one. */
            proposal_block: components["schemas"]["RpcBlock"] | null;
            /** @description Which parts of it have come; null before there is one. */
            proposal_block_parts: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int32
             * @description The round that this node is locked in; -1 when it is not.
             * @example -1
             */
            locked_round: number;
            /** @description The block that this node is locked on; null when it is not. */
            locked_block: components["schemas"]["RpcBlock"] | null;
            /** @description Its parts; null without one. */
            locked_block_parts: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int32
             * @description The last round with a block known to be valid; -1 without one.
             * @example -1
             */
            valid_round: number;
            /** @description That block; null without one. */
            valid_block: components["schemas"]["RpcBlock"] | null;
            /** @description Its parts; null without one. */
            valid_block_parts: {
                [key: string]: unknown;
            } | null;
            /** @description The votes of each round. */
            votes: components["schemas"]["RpcHeightVotes"][];
            /**
             * Format: int32
             * @description The round in which the block was decided; -1 before.
             * @example -1
             */
            commit_round: number;
            /** @description The votes under the block before; null at height 1. */
            last_commit: components["schemas"]["RpcVoteSet"] | null;
            /** @description The validators of the block before. */
            last_validators: components["schemas"]["RpcValidatorSet"];
            /**
             * @description Whether the wait for second votes has run out.
             * @example false
             */
            triggered_timeout_precommit: boolean;
        };
        /** @description What a peer knows of the round. */
        RpcPeerState: {
            /**
             * @description The peer's id and address.
             * @example 2e10484bb90cb8ea38bbf61423105ec45f480757@127.0.0.1:26656
             */
            node_address: string;
            /** @description Its state, as CometBFT's debug output tells it. */
            peer_state: {
                [key: string]: unknown;
            };
        };
        /** @description The state of consensus, in full. */
        RpcConsensusDump: {
            /** @description The state of the round. */
            round_state: components["schemas"]["RpcRoundState"];
            /** @description What each peer knows; empty on a chain of one node. */
            peers: components["schemas"]["RpcPeerState"][];
        };
        /** @description The answer of dump_consensus_state, in CometBFT's envelope. */
        RpcDumpConsensusStateAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcConsensusDump"];
        };
        /** @description A validator at the start of the chain. */
        RpcGenesisValidator: {
            /** @description Its address. */
            address: components["schemas"]["RpcValidatorAddress"];
            /** @description Its key. */
            pub_key: components["schemas"]["RpcPublicKey"];
            /** @description Its voting power. */
            power: components["schemas"]["RpcCount"];
            /**
             * @description A name for people; may be empty.
             * @example
             */
            name: string;
        };
        /** @description An account at the start of the chain. */
        RpcGenesisAccount: {
            /** @description The account. */
            address: components["schemas"]["Address"];
            /** @description What it holds, in minor units. */
            balance: components["schemas"]["Balance"];
        };
        /** @description A version of the chain's rules and the height from which it counts. */
        RpcGenesisRules: {
            /**
             * Format: int32
             * @description The version of the rules.
             * @example 1
             */
            version: number;
            /**
             * Format: int64
             * @description The first block that follows it.
             * @example 1
             */
            height: number;
        };
        /** @description The ledger at the start of the chain. */
        RpcGenesisState: {
            /**
             * Format: int32
             * @description The format of the chain, which covers its genesis, its state and its transactions.
             * @example 2
             */
            format: number;
            /** @description The prefix of the chain's addresses. */
            address_prefix: components["schemas"]["AddressPrefix"];
            currency: components["schemas"]["Currency"];
            /** @description The least amount, in minor units, that opens an account; 1 where it is absent. */
            openingMinimum?: components["schemas"]["Amount"];
            /** @description The accounts with their money. Nothing ever adds to the sum. */
            accounts: components["schemas"]["RpcGenesisAccount"][];
            /** @description Who may void nonces of others. Their keys lie on gateways. */
            cancellers: components["schemas"]["Address"][];
            /** @description The cancellers again, by the name that they had before chain format 2. */
            operators: components["schemas"]["Address"][];
            /** @description Who changes roles, validators and rules, `threshold` of them together. */
            governors: components["schemas"]["Address"][];
            /**
             * Format: int32
             * @description How many governors sign together.
             * @example 2
             */
            threshold: number;
            /** @description Versions of the chain's rules, each with the height from which it counts. */
            rules?: components["schemas"]["RpcGenesisRules"][];
        };
        /** @description How the chain began: the genesis file. */
        RpcGenesisDocument: {
            /** @description The time of the first block. */
            genesis_time: components["schemas"]["Timestamp"];
            /** @description The name of the chain. */
            chain_id: components["schemas"]["RpcChainId"];
            /** @description The height of the first block. */
            initial_height: components["schemas"]["RpcCount"];
            /** @description The parameters of consensus. */
            consensus_params: components["schemas"]["RpcConsensusParams"];
            /** @description The first validators. */
            validators: components["schemas"]["RpcGenesisValidator"][];
            /** @description The commitment to the state before the first block, where genesis gives it; else empty. */
            app_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The ledger at the start. Absent on a chain that has none. */
            app_state?: components["schemas"]["RpcGenesisState"];
        };
        /** @description The genesis file. */
        RpcGenesis: {
            /** @description How the chain began. */
            genesis: components["schemas"]["RpcGenesisDocument"];
        };
        /** @description The answer of genesis, in CometBFT's envelope. */
        RpcGenesisAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcGenesis"];
        };
        /** @description A piece of the genesis file. */
        RpcGenesisChunk: {
            /** @description Which piece this is, counted from 0. */
            chunk: components["schemas"]["RpcCount"];
            /** @description How many pieces there are, of up to 16 MiB each; a service that makes its blocks itself has them at 512 KiB. */
            total: components["schemas"]["RpcCount"];
            /** @description The bytes of the piece. */
            data: components["schemas"]["RpcBytes"];
        };
        /** @description The answer of genesis_chunked, in CometBFT's envelope. */
        RpcGenesisChunkedAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcGenesisChunk"];
        };
        /** @description Which piece of the genesis file. */
        RpcGenesisChunkedParams: {
            /** @description The piece, counted from 0. Left out, the first. */
            chunk?: components["schemas"]["RpcCount"];
        };
        /** @description The header of a block. */
        RpcFoundHeader: {
            /** @description The header; null when no block has the hash, and before the first block. */
            header: components["schemas"]["RpcHeader"] | null;
        };
        /** @description The answer of header, in CometBFT's envelope. */
        RpcHeaderAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcFoundHeader"];
        };
        /** @description The answer of header_by_hash, in CometBFT's envelope. */
        RpcHeaderByHashAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcFoundHeader"];
        };
        /**
         * @description A hash of 32 bytes as 64 hex digits in either case.
         * @example 67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
         */
        RpcHexHash: string;
        /** @description Which block. */
        RpcHeaderByHashParams: {
            /** @description The hash of the block, in hex. */
            hash: components["schemas"]["RpcHexHash"];
        };
        /** @description Nothing: that it is answered is the answer. */
        RpcHealth: Record<string, never>;
        /** @description The answer of health, in CometBFT's envelope. */
        RpcHealthAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcHealth"];
        };
        /** @description The protocols that the node speaks. */
        RpcProtocolVersion: {
            /** @description The version of the peer-to-peer protocol. */
            p2p: components["schemas"]["RpcCount"];
            /** @description The version of the block protocol. */
            block: components["schemas"]["RpcCount"];
            /** @description The version of the ledger's protocol. */
            app: components["schemas"]["RpcCount"];
        };
        /** @description Further facts about a node. */
        RpcNodeInfoOther: {
            /**
             * @description Whether transactions can be searched.
             * @example on
             * @enum {string}
             */
            tx_index: "on" | "off";
            /**
             * @description Where the node listens for RPC.
             * @example tcp://127.0.0.1:26657
             */
            rpc_address: string;
        };
        /** @description What a node says of itself. */
        RpcNodeInfo: {
            /** @description The protocols that the node speaks. */
            protocol_version: components["schemas"]["RpcProtocolVersion"];
            /**
             * @description The node's id: the first 20 bytes of the SHA-256 of its node key, as 40 lower-case hex digits.
             * @example 2e10484bb90cb8ea38bbf61423105ec45f480757
             */
            id: string;
            /**
             * @description Where the node listens for peers; the empty string when it does not.
             * @example tcp://127.0.0.1:26656
             */
            listen_addr: string;
            /** @description The name of the chain. */
            network: components["schemas"]["RpcChainId"];
            /**
             * @description The version of CometBFT that the node follows. Clients choose their dialect by it; that of v0.38 fits v0.39 too.
             * @example 0.38.26
             */
            version: string;
            /**
             * @description The channels of the peer-to-peer protocol, one byte each in hex.
             * @example 40202122233038606100
             */
            channels: string;
            /**
             * @description A name of the node for people.
             * @example vm
             */
            moniker: string;
            /** @description Further facts. */
            other: components["schemas"]["RpcNodeInfoOther"];
        };
        /** @description A node that this one is connected to. */
        RpcPeer: {
            /** @description What the peer says of itself. */
            node_info: components["schemas"]["RpcNodeInfo"];
            /**
             * @description Whether this node made the connection.
             * @example true
             */
            is_outbound: boolean;
            /** @description Traffic of the connection, as CometBFT's debug output tells it. */
            connection_status: {
                [key: string]: unknown;
            };
            /**
             * @description The address of the peer.
             * @example 127.0.0.1
             */
            remote_ip: string;
        };
        /** @description The peers of the node. */
        RpcNetInfo: {
            /**
             * @description Whether the node takes connections of peers.
             * @example true
             */
            listening: boolean;
            /** @description Where it listens. */
            listeners: string[];
            /** @description The number of peers. */
            n_peers: components["schemas"]["RpcCount"];
            /** @description The peers; empty on a chain of one node. */
            peers: components["schemas"]["RpcPeer"][];
        };
        /** @description The answer of net_info, in CometBFT's envelope. */
        RpcNetInfoAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcNetInfo"];
        };
        /** @description How many transactions wait for a block. */
        RpcMempoolSize: {
            /** @description The number of transactions in the mempool. */
            n_txs: components["schemas"]["RpcCount"];
            /** @description The number of transactions in the mempool. */
            total: components["schemas"]["RpcCount"];
            /** @description Their size in bytes. */
            total_bytes: components["schemas"]["RpcCount"];
            /** @description Always null: unconfirmed_txs lists them. */
            txs: components["schemas"]["RpcBytes"][] | null;
        };
        /** @description The answer of num_unconfirmed_txs, in CometBFT's envelope. */
        RpcNumUnconfirmedTxsAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcMempoolSize"];
        };
        /** @description How far the node is. */
        RpcSyncInfo: {
            /** @description The hash of the latest block; empty before the first. */
            latest_block_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The commitment to the state after the latest block; empty before the first. */
            latest_app_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The height of the latest block; 0 before the first. */
            latest_block_height: components["schemas"]["RpcCount"];
            /** @description The time of the latest block; 1970 before the first. */
            latest_block_time: components["schemas"]["Timestamp"];
            /** @description The hash of the earliest block kept. */
            earliest_block_hash: components["schemas"]["RpcOptionalHash"];
            /** @description The app_hash in its header. */
            earliest_app_hash: components["schemas"]["RpcOptionalHash"];
            /** @description Its height. */
            earliest_block_height: components["schemas"]["RpcCount"];
            /** @description Its time. */
            earliest_block_time: components["schemas"]["Timestamp"];
            /**
             * @description Whether the node is still fetching old blocks.
             * @example false
             */
            catching_up: boolean;
        };
        /** @description The validator that this node signs for. */
        RpcValidatorInfo: {
            /** @description Its address. */
            address: components["schemas"]["RpcValidatorAddress"];
            /** @description Its key. */
            pub_key: components["schemas"]["RpcPublicKey"];
            /** @description Its voting power; 0 when the node is no validator. */
            voting_power: components["schemas"]["RpcCount"];
        };
        /** @description What a node says of itself and of the chain. */
        RpcStatus: {
            /** @description The node. */
            node_info: components["schemas"]["RpcNodeInfo"];
            /** @description How far it is. */
            sync_info: components["schemas"]["RpcSyncInfo"];
            /** @description The validator that it signs for. */
            validator_info: components["schemas"]["RpcValidatorInfo"];
        };
        /** @description The answer of status, in CometBFT's envelope. */
        RpcStatusAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcStatus"];
        };
        /** @description The path from a leaf to the root of a tree (RFC 6962 hashing). */
        RpcProof: {
            /** @description The number of leaves. */
            total: components["schemas"]["RpcCount"];
            /** @description The place of the leaf, counted from 0. */
            index: components["schemas"]["RpcCount"];
            /** @description The hash of the leaf, 32 bytes. */
            leaf_hash: components["schemas"]["RpcBytes"];
            /** @description The siblings on the way up, from the leaf to the root, 32 bytes each. */
            aunts: components["schemas"]["RpcBytes"][];
        };
        /** @description That a transaction is in a block, against the data_hash of its header. */
        RpcTxProof: {
            /** @description The data_hash of the header. */
            root_hash: components["schemas"]["RpcHash"];
            /** @description The raw transaction that is proved. */
            data: components["schemas"]["RpcBytes"];
            /** @description The path from the transaction to the root. */
            proof: components["schemas"]["RpcProof"];
        };
        /** @description A transaction in a block, with what became of it. */
        RpcTx: {
            /** @description SHA-256 of the raw transaction: the txHash. */
            hash: components["schemas"]["RpcHash"];
            /** @description The block that the transaction is in. */
            height: components["schemas"]["RpcCount"];
            /**
             * Format: int64
             * @description The place of the transaction in its block, counted from 0.
             * @example 0
             */
            index: number;
            /** @description What became of it. */
            tx_result: components["schemas"]["RpcTxResult"];
            /** @description The raw transaction. */
            tx: components["schemas"]["RpcBytes"];
            /** @description That the transaction is in the block. There when `prove` asked for it. */
            proof?: components["schemas"]["RpcTxProof"];
        };
        /** @description The answer of tx, in CometBFT's envelope. */
        RpcTxAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcTx"];
        };
        /** @description Which transaction. */
        RpcTxParams: {
            /** @description The txHash, in base64. */
            hash: components["schemas"]["RpcBase64Hash"];
            /**
             * @description Whether the answer carries a proof that the transaction is in its block.
             * @example true
             */
            prove?: boolean;
        };
        /** @description A page of the transactions that a search found. */
        RpcTxPage: {
            /** @description The transactions of this page, in the order asked for. */
            txs: components["schemas"]["RpcTx"][];
            /** @description How many transactions the search found on all pages. */
            total_count: components["schemas"]["RpcCount"];
            /** @description Where to continue when the page ended early, because its text would have been longer than 1 MiB. The page then holds fewer items than `per_page`. Left out when the page is whole. */
            next?: components["schemas"]["RpcNextPage"];
        };
        /** @description The answer of tx_search, in CometBFT's envelope. */
        RpcTxSearchAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcTxPage"];
        };
        /** @description A search for transactions. */
        RpcTxSearchParams: {
            /** @description Which transactions. */
            query: components["schemas"]["RpcQuery"];
            /**
             * @description Whether each transaction carries a proof that it is in its block.
             * @example true
             */
            prove?: boolean;
            /** @description Which page, counted from 1. Left out, the first. */
            page?: components["schemas"]["RpcHeightInput"];
            /** @description How many the page holds at most: 30 when left out, never more than 100. */
            per_page?: components["schemas"]["RpcCount"];
            /** @description The order. Left out, from the earliest. */
            order_by?: components["schemas"]["RpcOrder"];
        };
        /** @description Transactions that wait for a block. */
        RpcMempool: {
            /** @description The number of transactions in this answer. */
            n_txs: components["schemas"]["RpcCount"];
            /** @description The number of transactions in the mempool. */
            total: components["schemas"]["RpcCount"];
            /** @description Their size in bytes. */
            total_bytes: components["schemas"]["RpcCount"];
            /** @description Raw transactions, in the order in which they came. Up to one more than `limit` asks for, as CometBFT answers. */
            txs: components["schemas"]["RpcBytes"][];
        };
        /** @description The answer of unconfirmed_txs, in CometBFT's envelope. */
        RpcUnconfirmedTxsAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcMempool"];
        };
        /** @description How many transactions. */
        RpcUnconfirmedTxsParams: {
            /** @description How many: 30 when left out, never more than 100. */
            limit?: components["schemas"]["RpcCount"];
        };
        /** @description A page of the validators of a block. */
        RpcValidatorPage: {
            /** @description The block. */
            block_height: components["schemas"]["RpcCount"];
            /** @description The validators of this page, in the order of their voting power. */
            validators: components["schemas"]["RpcValidator"][];
            /** @description The number of validators on this page. */
            count: components["schemas"]["RpcCount"];
            /** @description The number of validators on all pages. */
            total: components["schemas"]["RpcCount"];
        };
        /** @description The answer of validators, in CometBFT's envelope. */
        RpcValidatorsAnswer: components["schemas"]["RpcAnswer"] & {
            result: components["schemas"]["RpcValidatorPage"];
        };
        /** @description Validators of which block. */
        RpcValidatorsParams: {
            /** @description The block. Left out, the latest that the method knows. */
            height?: components["schemas"]["RpcHeightInput"];
            /** @description Which page, counted from 1. Left out, the first. */
            page?: components["schemas"]["RpcHeightInput"];
            /** @description How many the page holds at most: 30 when left out, never more than 100. */
            per_page?: components["schemas"]["RpcCount"];
        };
        /** @description Which webhook is tested. */
        WebhookTestData: {
            webhookId: components["schemas"]["WebhookId"];
        };
        /** @description The body of a message that testWebhook asked for. It says nothing about the chain. */
        WebhookTestMessage: {
            /** @description The `webhook-id` of the message. */
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Always `webhook.test`.
             * @example webhook.test
             * @enum {string}
             */
            type: "webhook.test";
            /** @description When the test was asked for. */
            timestamp: components["schemas"]["Timestamp"];
            data: components["schemas"]["WebhookTestData"];
        };
        /** @description Which webhook was disabled, and why. */
        WebhookDisabledData: {
            /** @description The webhook that gets no more messages, not the one that this message is sent to. */
            webhookId: components["schemas"]["WebhookId"];
            reason: components["schemas"]["WebhookDisabledReason"];
        };
        /** @description The body of a message to the owner's other webhooks when this service has disabled one. */
        WebhookDisabledMessage: {
            /** @description The `webhook-id` of the message. */
            id: components["schemas"]["WebhookMessageId"];
            /**
             * @description Always `webhook.disabled`.
             * @example webhook.disabled
             * @enum {string}
             */
            type: "webhook.disabled";
            /** @description When the webhook was disabled. */
            timestamp: components["schemas"]["Timestamp"];
            data: components["schemas"]["WebhookDisabledData"];
        };
    };
    responses: {
        /** @description Any other problem, now or in a later version. `status` is that of the answer; the page /docs/errors says which codes each operation can answer. */
        AnyProblem: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticateAny"];
                "Retry-After": components["headers"]["RetryAfterAny"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A page of transfers. */
        TransactionList: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeight"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TransactionPage"];
            };
        };
        /** @description The request does not fit the contract. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequestProblem"];
            };
        };
        /** @description An address has the right form but is not one of this chain. */
        InvalidAddress: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidAddressProblem"];
            };
        };
        /** @description The same transfer was known already, under this signature or another valid one. Nothing was changed; the body is the one resource, whatever its status. */
        TransactionReplayed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description A block executed the transfer while the caller waited. */
        TransactionCommitted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The transfer is durable and not committed. It is pending, and a block will decide; or, after a wait, `status` says that it failed, was cancelled or expired. */
        TransactionAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The token lacks the scope, the matter is another owner's, or a web page that may not call did. */
        WriteForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticateScope"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["NotSubmitterProblem"];
            };
        };
        /** @description The nonce cannot be used for this transfer. */
        NonceTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NonceTooLowProblem"] | components["schemas"]["NonceConflictProblem"] | components["schemas"]["NonceCancelledProblem"];
            };
        };
        /** @description The transfer is well formed, but it cannot be accepted. */
        RefusedTransfer: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidAddressProblem"] | components["schemas"]["InvalidSignatureProblem"] | components["schemas"]["TxHashMismatchProblem"] | components["schemas"]["InsufficientFundsProblem"] | components["schemas"]["NonceTooHighProblem"] | components["schemas"]["IdempotencyKeyReusedProblem"] | components["schemas"]["ValidityPassedProblem"] | components["schemas"]["BelowOpeningMinimumProblem"];
            };
        };
        /** @description Too many requests, or too many pending transactions of one owner. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"] | components["schemas"]["TooManyPendingProblem"];
            };
        };
        /** @description The service cannot take in transfers now. */
        SubmitUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PoolFullProblem"] | components["schemas"]["EngineUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"];
            };
        };
        /** @description Every transfer of the batch was judged. Each result tells what became of one. */
        TransactionBatchAnswered: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TransactionBatchResult"];
            };
        };
        /** @description The body is not JSON, or it does not fit the contract. */
        MalformedTransfer: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidRequestProblem"];
            };
        };
        /** @description The body is too large. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BodyTooLargeProblem"];
            };
        };
        /** @description The transfer was judged; `outcome` tells how. */
        TransactionChecked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TransactionCheckResult"];
            };
        };
        /** @description The service cannot tell the state of the chain now. */
        ChainUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["EngineUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"];
            };
        };
        /** @description The transfer with its history. */
        TransactionFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeight"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TransactionDetail"];
            };
        };
        /** @description Nothing is known under this hash or path. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** @description The service cannot read its records now. */
        ReadUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["StoreUnavailableProblem"];
            };
        };
        /** @description The transfer is cancelled and can never execute. Asked again, the answer is the same. */
        TransactionCancelled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The cancel is recorded and cannot be taken back, but no block has decided within the wait. Ask getTransaction, or send the request again. */
        CancelRequested: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The transaction has a final status other than cancelled. */
        AlreadySettled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AlreadySettledProblem"];
            };
        };
        /** @description The signature is not that of the transfer's sender over the sign bytes, which the answer gives. */
        InvalidSignature: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidSignatureProblem"];
            };
        };
        /** @description The receipt. */
        ReceiptFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Receipt"];
            };
        };
        /** @description No block has decided the transfer, or the block after it does not exist yet. */
        ReceiptNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ReceiptNotReadyProblem"];
            };
        };
        /** @description The state of each account. */
        AccountsListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeight"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccountList"];
            };
        };
        /** @description The state of the account. */
        AccountFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeight"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Account"];
            };
        };
        /** @description Entries of the account's statement. */
        EntryList: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeight"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EntryPage"];
                "text/csv": components["schemas"]["StatementCsv"];
            };
        };
        /** @description Events of the log, as a page or as a stream. */
        EventList: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Ledger-Height": components["headers"]["LedgerHeightShown"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EventPage"];
                "text/event-stream": components["schemas"]["EventStream"];
            };
        };
        /** @description The place that was asked for is far ahead of the log, so it is of another log. */
        PlaceAhead: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PlaceAheadProblem"];
            };
        };
        /** @description All webhooks of the token's owner. */
        WebhooksListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookList"];
            };
        };
        /** @description No valid token was sent. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthenticatedProblem"];
            };
        };
        /** @description The token lacks the scope, or a web page that may not call did. */
        ReadForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticateScope"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InsufficientScopeProblem"];
            };
        };
        /** @description The webhook is durable. It gets events of blocks after the last one. */
        WebhookCreated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["WebhookLocation"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookWithSecret"];
            };
        };
        /** @description The owner has such a webhook already, or as many as are allowed. */
        WebhookConflict: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookExistsProblem"] | components["schemas"]["TooManyWebhooksProblem"];
            };
        };
        /** @description The request is well formed, but its URL may not be called, or an address is not one of this chain. */
        RefusedWebhook: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookUrlRefusedProblem"] | components["schemas"]["InvalidAddressProblem"];
            };
        };
        /** @description The webhook. */
        WebhookFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description The webhook, its log and what waited to be sent to it are gone. */
        WebhookDeleted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The webhook as it is now. The change is durable. */
        WebhookUpdated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description The owner has another webhook with this URL. */
        WebhookUrlTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookExistsProblem"];
            };
        };
        /** @description The new secret is durable and signs from now on. */
        WebhookSecretRotated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookWithSecret"];
            };
        };
        /** @description Too many secrets from before still sign. */
        WebhookBusy: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookBusyProblem"];
            };
        };
        /** @description The test message will be sent at once; listWebhookDeliveries tells what became of it. */
        WebhookTestAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookTestQueued"];
            };
        };
        /** @description The webhook is disabled, or something that was asked for before has to end first. */
        WebhookNotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["WebhookDisabledProblem"] | components["schemas"]["WebhookBusyProblem"];
            };
        };
        /** @description Attempts of this webhook. */
        WebhookDeliveriesListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDeliveryPage"];
            };
        };
        /** @description The events will be sent again, in order, beside what is new. */
        WebhookReplayAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        /** @description One page of tokens. */
        TokensListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessTokenPage"];
            };
        };
        /** @description The token is durable and can be used. */
        TokenCreated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["TokenLocation"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessTokenWithText"];
            };
        };
        /** @description The token as it is now. */
        TokenFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessToken"];
            };
        };
        /** @description The token is refused from now on. */
        TokenRevoked: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The change is durable. */
        TokenUpdated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AccessToken"];
            };
        };
        /** @description The new token is durable and can be used. */
        TokenRotated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["TokenLocation"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TokenRotation"];
            };
        };
        /** @description One page of bound addresses. */
        BoundAddressesListed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BoundAddressPage"];
            };
        };
        /** @description The binding is durable. */
        AddressBound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BoundAddress"];
            };
        };
        /** @description The address is bound to no owner. */
        AddressUnbound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The facts of the chain. */
        ChainFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Chain"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description The process is up. */
        Live: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Liveness"];
            };
        };
        /** @description Too many connections are open. */
        ServerBusy: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ServerBusyProblem"];
            };
        };
        /** @description The service can take work. */
        Ready: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Readiness"];
            };
        };
        /** @description The service cannot take work now. */
        NotReady: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ReadinessProblem"];
            };
        };
        /** @description The metrics of this process. */
        Metrics: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": components["schemas"]["PrometheusText"];
                "application/openmetrics-text": components["schemas"]["OpenMetricsText"];
            };
        };
        /** @description The links of this API. */
        ApiCatalogFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Contract-Version": components["headers"]["ContractVersion"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                "application/linkset+json": components["schemas"]["ApiCatalog"];
            };
        };
        /** @description This contract, bundled, as JSON. */
        ContractInJson: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenapiDocument"];
            };
        };
        /** @description The caller has this text already, by its `If-None-Match`. */
        ContractNotModified: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service is being stopped. */
        ShuttingDown: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ShuttingDownProblem"];
            };
        };
        /** @description This contract, bundled, as YAML. */
        ContractInYaml: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/yaml": components["schemas"]["YamlText"];
            };
        };
        /** @description This contract for generators of clients, as JSON. */
        ContractForClients: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                "Contract-Version": components["headers"]["ContractVersion"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenapiDocument"];
            };
        };
        /** @description The answer to one request or to a batch, failures included. Nothing but notifications is answered by an empty body. */
        RpcCallResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcReply"] | components["schemas"]["RpcErrorReply"] | components["schemas"]["RpcReplyBatch"];
                "text/plain": components["schemas"]["RpcSilence"];
            };
        };
        /** @description The body is not JSON, or no request of JSON-RPC. */
        RpcCallMalformed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcErrorReply"];
            };
        };
        /** @description The service cannot take in requests now. */
        RpcCallUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcErrorReply"];
                "application/problem+json": components["schemas"]["ServerBusyProblem"];
            };
        };
        /** @description The answer of abci_info. */
        RpcAbciInfoResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcAbciInfoAnswer"];
            };
        };
        /** @description The parameters do not fit, or the method refuses them. */
        RpcRefused: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcFailure"];
            };
        };
        /** @description The chain cannot answer now. */
        RpcUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcFailure"];
                "application/problem+json": components["schemas"]["ServerBusyProblem"];
            };
        };
        /** @description The answer of abci_query. */
        RpcAbciQueryResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcAbciQueryAnswer"];
            };
        };
        /** @description The answer of block. */
        RpcBlockResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBlockAnswer"];
            };
        };
        /** @description What the parameters name does not exist. */
        RpcNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcFailure"];
            };
        };
        /** @description The answer of block_by_hash. */
        RpcBlockByHashResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBlockByHashAnswer"];
            };
        };
        /** @description The answer of block_results. */
        RpcBlockResultsResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBlockResultsAnswer"];
            };
        };
        /** @description The answer of block_search. */
        RpcBlockSearchResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBlockSearchAnswer"];
            };
        };
        /** @description The answer of blockchain. */
        RpcBlockchainResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBlockchainAnswer"];
            };
        };
        /** @description The answer of broadcast_evidence. */
        RpcBroadcastEvidenceResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBroadcastEvidenceAnswer"];
            };
        };
        /** @description The answer of broadcast_tx_async. */
        RpcBroadcastTxAsyncResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBroadcastAnswer"];
            };
        };
        /** @description The answer of broadcast_tx_commit. */
        RpcBroadcastTxCommitResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBroadcastTxCommitAnswer"];
            };
        };
        /** @description The chain cannot answer now, or no block has decided in time. The latter names the txHash. */
        RpcUndecided: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcFailure"];
                "application/problem+json": components["schemas"]["ServerBusyProblem"];
            };
        };
        /** @description The answer of broadcast_tx_sync. */
        RpcBroadcastTxSyncResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcBroadcastAnswer"];
            };
        };
        /** @description The answer of check_tx. */
        RpcCheckTxResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcCheckTxAnswer"];
            };
        };
        /** @description The answer of commit. */
        RpcCommitResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcCommitAnswer"];
            };
        };
        /** @description The answer of consensus_params. */
        RpcConsensusParamsResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcConsensusParamsAnswer"];
            };
        };
        /** @description The answer of consensus_state. */
        RpcConsensusStateResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcConsensusStateAnswer"];
            };
        };
        /** @description The answer of dump_consensus_state. */
        RpcDumpConsensusStateResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcDumpConsensusStateAnswer"];
            };
        };
        /** @description The answer of genesis. */
        RpcGenesisResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcGenesisAnswer"];
            };
        };
        /** @description The answer of genesis_chunked. */
        RpcGenesisChunkedResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcGenesisChunkedAnswer"];
            };
        };
        /** @description The answer of header. */
        RpcHeaderResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcHeaderAnswer"];
            };
        };
        /** @description The answer of header_by_hash. */
        RpcHeaderByHashResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcHeaderByHashAnswer"];
            };
        };
        /** @description The answer of health. */
        RpcHealthResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcHealthAnswer"];
            };
        };
        /** @description The answer of net_info. */
        RpcNetInfoResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcNetInfoAnswer"];
            };
        };
        /** @description The answer of num_unconfirmed_txs. */
        RpcNumUnconfirmedTxsResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcNumUnconfirmedTxsAnswer"];
            };
        };
        /** @description The answer of status. */
        RpcStatusResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcStatusAnswer"];
            };
        };
        /** @description The answer of tx. */
        RpcTxResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcTxAnswer"];
            };
        };
        /** @description The answer of tx_search. */
        RpcTxSearchResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcTxSearchAnswer"];
            };
        };
        /** @description The answer of unconfirmed_txs. */
        RpcUnconfirmedTxsResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcUnconfirmedTxsAnswer"];
            };
        };
        /** @description The answer of validators. */
        RpcValidatorsResponse: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Contract-Version": components["headers"]["ContractVersion"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RpcValidatorsAnswer"];
            };
        };
        /** @description The receiver wants no more messages. The webhook is disabled. */
        WebhookGone: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The receiver has taken the message. The body of its answer is not read further than 1,024 bytes for the log. */
        WebhookTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The message is sent again, after a pause that grows, for up to three days. */
        WebhookNotTaken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
         * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
         */
        XRequestId: string;
        /**
         * @description How many transfers the page holds at most.
         * @example 10
         */
        Limit: components["schemas"]["PageLimit"];
        /**
         * @description `nextCursor` of the page before. Send the same filters with it; under others the pages do not join to one list.
         * @example AAAAAAAAAco
         */
        CursorQuery: components["schemas"]["Cursor"];
        /**
         * @description Only transfers that have this status now.
         * @example pending
         */
        StatusFilter: components["schemas"]["TransactionStatusFilter"];
        /**
         * @description Only transfers that this account pays.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        FromFilter: components["schemas"]["Address"];
        /**
         * @description Only transfers with this nonce. It needs `from`, because each account counts its own nonces; without it the answer is 400 `invalid_request`.
         * @example 0
         */
        NonceFilter: components["schemas"]["Nonce"];
        /**
         * @description Only transfers that this account receives.
         * @example txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq
         */
        ToFilter: components["schemas"]["Address"];
        /**
         * @description Only transfers that this account pays or receives.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        AccountFilter: components["schemas"]["Address"];
        /**
         * @description Only transfers with exactly this reference. Anyone can send a transfer with any reference: compare sender, receiver and amount too.
         * @example INV 2026/17
         */
        ReferenceFilter: components["schemas"]["Reference"];
        /**
         * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
         * @example 1
         */
        LedgerHeightMin: string;
        /**
         * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
         * @example wait=10
         */
        Prefer: string;
        /**
         * @description The caller's own name for this transfer, as HTTP stacks send it that repeat requests by themselves (draft-ietf-httpapi-idempotency-key-header). It is optional: a transfer is paid at most once without it too. It is 1 to 255 characters of visible ASCII or space in double quotes, with a backslash before a double quote or a backslash, as a String of Structured Fields is written (RFC 9651). A key without space, double quote, backslash, comma and semicolon may be sent without the quotes; it is the same key. Each owner of tokens has its own keys. A key is bound to the transfer that is accepted with it, for as long as the service keeps that transfer, whatever becomes of it: the same transfer again is answered 200, another one 422 `idempotency_key_reused`. A request that is refused binds nothing, nor does one that is answered 200: a transfer keeps the key that it was accepted with, or none.
         * @example "8e03978e-40d5-43e8-bc93-6894a57f9324"
         */
        IdempotencyKey: string;
        /**
         * @description The txHash of the transaction, in either case.
         * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
         */
        TxHashPath: components["schemas"]["TxHashInput"];
        /**
         * @description The addresses of the accounts, each in a parameter of its own (`address=A&address=B`), 1 to 100 of them. An address that is given twice is 400 `invalid_request`.
         * @example [
         *       "txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz",
         *       "txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"
         *     ]
         */
        AddressList: components["schemas"]["Address"][];
        /**
         * @description The address of the account.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        AccountAddress: components["schemas"]["Address"];
        /**
         * @description The account as it was after this block, 0 for the genesis file. The answer is then of that block alone: no transfer counts as pending, so `available` is `balance`, `nextNonce` is `nonce`, `pendingOut` is 0 and `gaps` is empty. Absent: as it is now.
         * @example 42
         */
        AccountHeight: components["schemas"]["StateHeight"];
        /**
         * @description How many entries a page of JSON holds at most.
         * @example 10
         */
        EntryLimit: components["schemas"]["EntryLimitValue"];
        /**
         * @description `nextCursor` of the page before, with the same address, `from`, `to` and `order`. Under others it is 400.
         * @example AAAAAAAAAco
         */
        EntryCursor: components["schemas"]["Cursor"];
        /**
         * @description Only entries of blocks at this time or later.
         * @example 2026-11-01T00:00:00Z
         */
        EntryFrom: components["schemas"]["TimestampInput"];
        /**
         * @description Only entries of blocks before this time, which is not included: `to` of one month is `from` of the next.
         * @example 2026-12-01T00:00:00Z
         */
        EntryTo: components["schemas"]["TimestampInput"];
        /**
         * @description In which direction the statement is read.
         * @example asc
         */
        EntryOrderQuery: components["schemas"]["EntryOrder"];
        /**
         * @description Only events behind this place: behind one event (`1204-3`), or behind a whole block (`1204`). The order is `asc` then; `order=desc` with it is 400.
         * @example 1204-3
         */
        EventAfter: components["schemas"]["EventPlace"];
        /**
         * @description What a client of server-sent events sends when it connects again: the stream goes on behind this event. It wins over `after`; pages ignore it.
         * @example 1204-3
         */
        LastEventId: components["schemas"]["EventPlace"];
        /**
         * @description Only events about transfers that this account pays or receives.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        EventAccount: components["schemas"]["Address"];
        /**
         * @description Only events about transfers that this owner submitted to this service. Another owner than the token's needs the scope `transactions:cancel-any`, and is 403 `insufficient_scope` without it.
         * @example acme
         */
        EventOwner: components["schemas"]["Owner"];
        /**
         * @description Only events of this type. One that this version does not know is 400.
         * @example transaction.committed
         */
        EventTypeFilter: components["schemas"]["EventType"];
        /**
         * @description Only events about transfers with exactly this reference. Anyone can send a transfer with any reference: compare sender, receiver and amount too.
         * @example INV 2026/17
         */
        EventReference: components["schemas"]["Reference"];
        /**
         * @description Only events about transfers that ended like this.
         * @example committed
         */
        EventStatus: components["schemas"]["SettledStatusFilter"];
        /**
         * @description How many events a page holds at most.
         * @example 10
         */
        EventLimit: components["schemas"]["EventLimitValue"];
        /**
         * @description `nextCursor` of the page before, with the same filters, `after` and `order`. Under others it is 400.
         * @example AAAAAAAAAco
         */
        EventCursor: components["schemas"]["Cursor"];
        /**
         * @description In which direction the log is read: newest first, or with `after` in the order of the chain.
         * @example asc
         */
        EventOrderQuery: components["schemas"]["EventOrder"];
        /**
         * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
         * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
         */
        WebhookIdPath: components["schemas"]["WebhookId"];
        /**
         * @description How many attempts a page holds at most.
         * @example 10
         */
        WebhookDeliveryLimit: components["schemas"]["WebhookDeliveryLimitValue"];
        /**
         * @description `nextCursor` of the page before.
         * @example AAAAAAAAAco
         */
        WebhookDeliveryCursor: components["schemas"]["Cursor"];
        /**
         * @description Only tokens of this owner.
         * @example acme
         */
        TokenOwner: components["schemas"]["Owner"];
        /**
         * @description Only tokens that can be used, or those that are revoked or have expired too.
         * @example usable
         */
        TokenState: components["schemas"]["TokenStateFilter"];
        /**
         * @description How many tokens the page holds at most.
         * @example 10
         */
        TokenLimit: components["schemas"]["AccessPageLimit"];
        /**
         * @description `nextCursor` of the page before. Send the same filters with it.
         * @example AAAAAAAAAco
         */
        TokenCursor: components["schemas"]["Cursor"];
        /**
         * @description The id of a token, which is the part of its text between `txl_` and the secret.
         * @example 3f0c9a1b2d4e5f60
         */
        TokenIdPath: components["schemas"]["TokenId"];
        /**
         * @description Only addresses that are bound to this owner.
         * @example acme
         */
        BindingOwner: components["schemas"]["Owner"];
        /**
         * @description How many addresses the page holds at most.
         * @example 10
         */
        BindingLimit: components["schemas"]["AccessPageLimit"];
        /**
         * @description `nextCursor` of the page before. Send the same filters with it.
         * @example AAAAAAAAAco
         */
        BindingCursor: components["schemas"]["Cursor"];
        /**
         * @description The address, of this chain.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        BoundAddressPath: components["schemas"]["Address"];
        /**
         * @description The `ETag` of the text that the caller has (RFC 9110), several of them with commas between, or `*`. Where one of them names the text that would be sent, the answer is 304 without a body.
         * @example W/"oYAtYFpmdRNvFVBD"
         */
        IfNoneMatch: string;
        /**
         * @description What is asked for. `/store/accounts/key` and `/store/governance/key` read the state and can prove it; `/account` answers for an address and `/governance` for roles, validators and rules, without proof; `/check_tx` says of a transaction whether the mempool would take it, and keeps nothing.
         * @example "/account"
         */
        RpcPath: components["schemas"]["RpcPathText"];
        /**
         * @description The key: the bytes of an address for `/store/accounts/key` and `/account`.
         * @example 0x74786c7431713977777135783930357666753877787a6633747130616b766e64663067306d386b6578357a7835766d6836796b723668637571796861366c7a
         */
        RpcData: components["schemas"]["RpcBytesText"];
        /**
         * @description The version of the state. 0, or left out, is the latest that a header commits to.
         * @example 0
         */
        RpcStateHeight: components["schemas"]["RpcCountText"];
        /**
         * @description Whether the answer carries a proof.
         * @example true
         */
        RpcProve: boolean;
        /**
         * @description The block. Left out, the latest that the method knows.
         * @example 4
         */
        RpcHeight: components["schemas"]["RpcHeightText"];
        /**
         * @description The hash of the block.
         * @example 0x67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
         */
        RpcBlockHash: components["schemas"]["RpcHashText"];
        /**
         * @description Which blocks: conditions joined by AND, such as `block.height > 1`, at most 8 of them and 512 characters, in double quotes.
         * @example "block.height > 1"
         */
        RpcBlockQuery: components["schemas"]["RpcQueryText"];
        /**
         * @description Which page, counted from 1. Left out, the first.
         * @example 1
         */
        RpcPage: components["schemas"]["RpcHeightText"];
        /**
         * @description How many the page holds at most: 30 when left out, never more than 100.
         * @example 2
         */
        RpcPerPage: components["schemas"]["RpcCountText"];
        /**
         * @description From the earliest or from the latest. Left out, from the earliest for transactions and from the latest for blocks.
         * @example "desc"
         */
        RpcOrderBy: components["schemas"]["RpcOrderText"];
        /**
         * @description The lowest block. 0, or left out, is the first; of a longer range the answer has the 20 highest blocks.
         * @example 1
         */
        RpcMinHeight: components["schemas"]["RpcCountText"];
        /**
         * @description The highest block. 0, or left out, is the latest.
         * @example 4
         */
        RpcMaxHeight: components["schemas"]["RpcCountText"];
        /**
         * @description The evidence, as JSON.
         * @example {"type":"tendermint/DuplicateVoteEvidence","value":{}}
         */
        RpcEvidenceQuery: components["schemas"]["RpcEvidenceText"];
        /**
         * @description The raw bytes of the transaction: in hex after `0x`, or as a JSON string in double quotes with the quotes inside escaped. Percent-encode what a query string cannot carry.
         * @example "{\"amount\":\"100\",\"chainId\":\"txledger-dev-1\",\"from\":\"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz\",\"nonce\":0,\"signature\":\"1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504\",\"to\":\"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq\"}"
         */
        RpcTransactionBytes: components["schemas"]["RpcBytesText"];
        /**
         * @description Which piece, counted from 0.
         * @example 0
         */
        RpcChunk: components["schemas"]["RpcCountText"];
        /**
         * @description The txHash.
         * @example 0xC2FDB57E95AF8CEEAF8AE252D5851A3D1C3FC0EE884467FA4B2A86CB0C45136A
         */
        RpcTransactionHash: components["schemas"]["RpcHashText"];
        /**
         * @description Which transactions: conditions joined by AND, such as `tx.height=4`, at most 8 of them and 512 characters, in double quotes.
         * @example "tx.height=4"
         */
        RpcTransactionQuery: components["schemas"]["RpcQueryText"];
        /**
         * @description How many transactions: 30 when left out, never more than 100.
         * @example 1
         */
        RpcLimit: components["schemas"]["RpcCountText"];
    };
    requestBodies: {
        /** @description The signed transfer, at most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        TransactionInputBody: {
            content: {
                "application/json": components["schemas"]["TransactionInput"];
            };
        };
        /** @description The signed transfers, at most 1 MiB of UTF-8 JSON without duplicate keys or unknown members. */
        TransactionBatchInputBody: {
            content: {
                "application/json": components["schemas"]["TransactionBatchInput"];
            };
        };
        /** @description The transfer, at most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        TransactionCheckInputBody: {
            content: {
                "application/json": components["schemas"]["TransactionCheckInput"];
            };
        };
        /** @description The sender's signature, as UTF-8 JSON without duplicate keys or unknown members. */
        CancelInputBody: {
            content: {
                "application/json": components["schemas"]["CancelInput"];
            };
        };
        /** @description The webhook to make. */
        WebhookInputBody: {
            content: {
                "application/json": components["schemas"]["WebhookInput"];
            };
        };
        /** @description What to change. */
        WebhookUpdateInputBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdateInput"];
            };
        };
        /** @description How the secret is replaced; an empty object for one day of overlap. */
        WebhookRotationInputBody: {
            content: {
                "application/json": components["schemas"]["WebhookRotationInput"];
            };
        };
        /** @description Which events to send again. */
        WebhookReplayInputBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayInput"];
            };
        };
        /** @description The token to make. */
        TokenInputBody: {
            content: {
                "application/json": components["schemas"]["TokenInput"];
            };
        };
        /** @description What to change. */
        TokenUpdateInputBody: {
            content: {
                "application/json": components["schemas"]["TokenUpdateInput"];
            };
        };
        /** @description How the token is replaced; an empty object for one day of overlap. */
        TokenRotationInputBody: {
            content: {
                "application/json": components["schemas"]["TokenRotationInput"];
            };
        };
        /** @description The owner of the address. */
        AddressBindingInputBody: {
            content: {
                "application/json": components["schemas"]["AddressBindingInput"];
            };
        };
        /** @description One request of JSON-RPC 2.0 or an array of up to 10, at most 1 MiB of UTF-8 JSON. */
        RpcCallBody: {
            content: {
                "application/json": components["schemas"]["RpcCall"] | components["schemas"]["RpcCallBatch"];
            };
        };
        /** @description No parameters: an empty object. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcNoParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcNoParams"];
            };
        };
        /** @description A question to the ledger. At most 1 MiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcAbciQueryParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcAbciQueryParams"];
            };
        };
        /** @description Which block. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcHeightParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcHeightParams"];
            };
        };
        /** @description Which block. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcBlockByHashParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcBlockByHashParams"];
            };
        };
        /** @description A search for blocks. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcBlockSearchParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcBlockSearchParams"];
            };
        };
        /** @description A range of blocks. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcBlockchainParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcBlockchainParams"];
            };
        };
        /** @description Evidence of misbehaviour. At most 1 MiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcBroadcastEvidenceParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcBroadcastEvidenceParams"];
            };
        };
        /** @description A signed transaction. At most 1 MiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcTransactionParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcTransactionParams"];
            };
        };
        /** @description Which piece of the genesis file. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcGenesisChunkedParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcGenesisChunkedParams"];
            };
        };
        /** @description Which block. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcHeaderByHashParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcHeaderByHashParams"];
            };
        };
        /** @description Which transaction. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcTxParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcTxParams"];
            };
        };
        /** @description A search for transactions. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcTxSearchParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcTxSearchParams"];
            };
        };
        /** @description How many transactions. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcUnconfirmedTxsParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcUnconfirmedTxsParams"];
            };
        };
        /** @description Validators of which block. At most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        RpcValidatorsParamsBody: {
            content: {
                "application/json": components["schemas"]["RpcValidatorsParams"];
            };
        };
        /** @description The event, the same object that listEvents answers. */
        EventMessageBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        /** @description A test message. */
        TestMessageBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestMessage"];
            };
        };
        /** @description Which webhook was disabled. */
        DisabledMessageBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledMessage"];
            };
        };
    };
    headers: {
        /** @description The name of this request in logs and errors. The caller's own `X-Request-Id` if it fits the pattern, otherwise one made here. */
        XRequestId: components["schemas"]["RequestId"];
        /** @description The version of this contract that the service follows, as `info.version` gives it. It is on every answer, so that a caller can log it and notice a change. */
        ContractVersion: string;
        /** @description Whether the answer may be kept. `no-store` everywhere but on the contract itself and the API catalogue. */
        CacheControl: string;
        /** @description With 401 which kind of token is wanted, with `insufficient_scope` which scopes; absent otherwise. */
        WwwAuthenticateAny: string;
        /** @description With 429 and 503, after how many seconds the same request is worth sending again; absent otherwise. */
        RetryAfterAny: number;
        /** @description What is left of the caller's quota, as the IETF draft "RateLimit header fields for HTTP" writes it: `r` units are left, and in `t` seconds the whole quota is. A light request costs one unit, an expensive one several. Absent where no limit applies. */
        RateLimit: string;
        /** @description The caller's quota, as the IETF draft "RateLimit header fields for HTTP" writes it: `q` units in `w` seconds. A light request costs one unit, an expensive one several. Absent where no limit applies. */
        RateLimitPolicy: string;
        /** @description The height of the last block that the answer reflects. Send the highest one seen as `Ledger-Height-Min`, and no later read shows less. */
        LedgerHeight: number;
        /** @description Where the transaction is found, relative to the URL of the request (RFC 9110 section 10.2.2), so that it is right behind a path prefix too; absolute where the operator named the public URL. The last segment is the txHash. */
        Location: string;
        /** @description Says that the request changed nothing, because the same transfer was known already. */
        IdempotentReplayed: "true";
        /** @description The preference that was honoured (RFC 7240 section 3), with the wait in seconds that was really applied. Absent when the request preferred nothing that this operation knows. */
        PreferenceApplied: string;
        /** @description The height of the last block that the answer reflects, for `Ledger-Height-Min`. Absent where the answer shows nothing of a block, and on a stream of events. */
        LedgerHeightShown: number;
        /** @description With `insufficient_scope`, the scopes that the operation needs, as RFC 6750 section 3 writes it. Absent with other codes. */
        WwwAuthenticateScope: string;
        /** @description After how many seconds the same request is worth sending again (RFC 9110 section 10.2.3). */
        RetryAfter: number;
        /** @description Which kind of token is wanted and what was wrong with the one sent, as RFC 6750 section 3 writes it. Under `/rpc` a challenge for Basic follows. */
        WwwAuthenticate: string;
        /** @description Where the webhook is found, relative to the URL of the request (RFC 9110 section 10.2.2), so that it is right behind a path prefix too; absolute where the operator named the public URL. The last segment is its id. */
        WebhookLocation: string;
        /** @description Where the token is found, relative to the URL of the request (RFC 9110 section 10.2.2), so that it is right behind a path prefix too; absolute where the operator named the public URL. The last segment is its id. */
        TokenLocation: string;
        /** @description Where the API catalogue is (RFC 8288), with the relation `api-catalog`. */
        Link: string;
        /** @description Names this text (RFC 9110), compressed or not. Send it as `If-None-Match` to be answered 304 for as long as it is the same. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTransactions: {
        parameters: {
            query?: {
                /**
                 * @description How many transfers the page holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description `nextCursor` of the page before. Send the same filters with it; under others the pages do not join to one list.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["CursorQuery"];
                /**
                 * @description Only transfers that have this status now.
                 * @example pending
                 */
                status?: components["parameters"]["StatusFilter"];
                /**
                 * @description Only transfers that this account pays.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                from?: components["parameters"]["FromFilter"];
                /**
                 * @description Only transfers with this nonce. It needs `from`, because each account counts its own nonces; without it the answer is 400 `invalid_request`.
                 * @example 0
                 */
                nonce?: components["parameters"]["NonceFilter"];
                /**
                 * @description Only transfers that this account receives.
                 * @example txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq
                 */
                to?: components["parameters"]["ToFilter"];
                /**
                 * @description Only transfers that this account pays or receives.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                account?: components["parameters"]["AccountFilter"];
                /**
                 * @description Only transfers with exactly this reference. Anyone can send a transfer with any reference: compare sender, receiver and amount too.
                 * @example INV 2026/17
                 */
                reference?: components["parameters"]["ReferenceFilter"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionList"];
            400: components["responses"]["InvalidRequest"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    submitTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The caller's own name for this transfer, as HTTP stacks send it that repeat requests by themselves (draft-ietf-httpapi-idempotency-key-header). It is optional: a transfer is paid at most once without it too. It is 1 to 255 characters of visible ASCII or space in double quotes, with a backslash before a double quote or a backslash, as a String of Structured Fields is written (RFC 9651). A key without space, double quote, backslash, comma and semicolon may be sent without the quotes; it is the same key. Each owner of tokens has its own keys. A key is bound to the transfer that is accepted with it, for as long as the service keeps that transfer, whatever becomes of it: the same transfer again is answered 200, another one 422 `idempotency_key_reused`. A request that is refused binds nothing, nor does one that is answered 200: a transfer keeps the key that it was accepted with, or none.
                 * @example "8e03978e-40d5-43e8-bc93-6894a57f9324"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransactionInputBody"];
        responses: {
            200: components["responses"]["TransactionReplayed"];
            201: components["responses"]["TransactionCommitted"];
            202: components["responses"]["TransactionAccepted"];
            403: components["responses"]["WriteForbidden"];
            409: components["responses"]["NonceTaken"];
            422: components["responses"]["RefusedTransfer"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["SubmitUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    submitTransactionBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransactionBatchInputBody"];
        responses: {
            200: components["responses"]["TransactionBatchAnswered"];
            400: components["responses"]["MalformedTransfer"];
            413: components["responses"]["BodyTooLarge"];
            503: components["responses"]["SubmitUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    checkTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransactionCheckInputBody"];
        responses: {
            200: components["responses"]["TransactionChecked"];
            400: components["responses"]["MalformedTransfer"];
            503: components["responses"]["ChainUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path: {
                /**
                 * @description The txHash of the transaction, in either case.
                 * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
                 */
                txHash: components["parameters"]["TxHashPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionFound"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["ReadUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The txHash of the transaction, in either case.
                 * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
                 */
                txHash: components["parameters"]["TxHashPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionCancelled"];
            202: components["responses"]["CancelRequested"];
            403: components["responses"]["WriteForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettled"];
            default: components["responses"]["AnyProblem"];
        };
    };
    submitCancel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /**
                 * @description The txHash of the transaction, in either case.
                 * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
                 */
                txHash: components["parameters"]["TxHashPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CancelInputBody"];
        responses: {
            200: components["responses"]["TransactionCancelled"];
            202: components["responses"]["CancelRequested"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettled"];
            422: components["responses"]["InvalidSignature"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
                 * @example wait=10
                 */
                Prefer?: components["parameters"]["Prefer"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path: {
                /**
                 * @description The txHash of the transaction, in either case.
                 * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
                 */
                txHash: components["parameters"]["TxHashPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ReceiptFound"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ReceiptNotReady"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listAccounts: {
        parameters: {
            query: {
                /**
                 * @description The addresses of the accounts, each in a parameter of its own (`address=A&address=B`), 1 to 100 of them. An address that is given twice is 400 `invalid_request`.
                 * @example [
                 *       "txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz",
                 *       "txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"
                 *     ]
                 */
                address: components["parameters"]["AddressList"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountsListed"];
            400: components["responses"]["InvalidRequest"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getAccount: {
        parameters: {
            query?: {
                /**
                 * @description The account as it was after this block, 0 for the genesis file. The answer is then of that block alone: no transfer counts as pending, so `available` is `balance`, `nextNonce` is `nonce`, `pendingOut` is 0 and `gaps` is empty. Absent: as it is now.
                 * @example 42
                 */
                height?: components["parameters"]["AccountHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path: {
                /**
                 * @description The address of the account.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AccountFound"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /**
                 * @description How many entries a page of JSON holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["EntryLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same address, `from`, `to` and `order`. Under others it is 400.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["EntryCursor"];
                /**
                 * @description Only entries of blocks at this time or later.
                 * @example 2026-11-01T00:00:00Z
                 */
                from?: components["parameters"]["EntryFrom"];
                /**
                 * @description Only entries of blocks before this time, which is not included: `to` of one month is `from` of the next.
                 * @example 2026-12-01T00:00:00Z
                 */
                to?: components["parameters"]["EntryTo"];
                /**
                 * @description In which direction the statement is read.
                 * @example asc
                 */
                order?: components["parameters"]["EntryOrderQuery"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path: {
                /**
                 * @description The address of the account.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                address: components["parameters"]["AccountAddress"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EntryList"];
            400: components["responses"]["InvalidRequest"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description Only events behind this place: behind one event (`1204-3`), or behind a whole block (`1204`). The order is `asc` then; `order=desc` with it is 400.
                 * @example 1204-3
                 */
                after?: components["parameters"]["EventAfter"];
                /**
                 * @description Only events about transfers that this account pays or receives.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                account?: components["parameters"]["EventAccount"];
                /**
                 * @description Only events about transfers that this owner submitted to this service. Another owner than the token's needs the scope `transactions:cancel-any`, and is 403 `insufficient_scope` without it.
                 * @example acme
                 */
                owner?: components["parameters"]["EventOwner"];
                /**
                 * @description Only events of this type. One that this version does not know is 400.
                 * @example transaction.committed
                 */
                type?: components["parameters"]["EventTypeFilter"];
                /**
                 * @description Only events about transfers with exactly this reference. Anyone can send a transfer with any reference: compare sender, receiver and amount too.
                 * @example INV 2026/17
                 */
                reference?: components["parameters"]["EventReference"];
                /**
                 * @description Only events about transfers that ended like this.
                 * @example committed
                 */
                status?: components["parameters"]["EventStatus"];
                /**
                 * @description How many events a page holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["EventLimit"];
                /**
                 * @description `nextCursor` of the page before, with the same filters, `after` and `order`. Under others it is 400.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["EventCursor"];
                /**
                 * @description In which direction the log is read: newest first, or with `after` in the order of the chain.
                 * @example asc
                 */
                order?: components["parameters"]["EventOrderQuery"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description What a client of server-sent events sends when it connects again: the stream goes on behind this event. It wins over `after`; pages ignore it.
                 * @example 1204-3
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
                /**
                 * @description The lowest `Ledger-Height` that the answer may have. A process of the service that is behind it waits up to five seconds for that block, and answers 409 `height_not_reached` after that; more than 100 blocks behind it, it answers so without a wait. Written as a plain decimal integer; anything else is 400.
                 * @example 1
                 */
                "Ledger-Height-Min"?: components["parameters"]["LedgerHeightMin"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["EventList"];
            400: components["responses"]["InvalidRequest"];
            409: components["responses"]["PlaceAhead"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhooksListed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            default: components["responses"]["AnyProblem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WebhookInputBody"];
        responses: {
            201: components["responses"]["WebhookCreated"];
            403: components["responses"]["ReadForbidden"];
            409: components["responses"]["WebhookConflict"];
            422: components["responses"]["RefusedWebhook"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookFound"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["WebhookDeleted"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WebhookUpdateInputBody"];
        responses: {
            200: components["responses"]["WebhookUpdated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookUrlTaken"];
            422: components["responses"]["RefusedWebhook"];
            default: components["responses"]["AnyProblem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WebhookRotationInputBody"];
        responses: {
            200: components["responses"]["WebhookSecretRotated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookBusy"];
            default: components["responses"]["AnyProblem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["WebhookTestAccepted"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookNotReady"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description How many attempts a page holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["WebhookDeliveryLimit"];
                /**
                 * @description `nextCursor` of the page before.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["WebhookDeliveryCursor"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WebhookDeliveriesListed"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a webhook of the token's owner. Those of others are 404, as if they did not exist.
                 * @example wh_3k8f0d2m7q9s1v4x6z5b8n0p2r
                 */
                webhookId: components["parameters"]["WebhookIdPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["WebhookReplayInputBody"];
        responses: {
            202: components["responses"]["WebhookReplayAccepted"];
            400: components["responses"]["MalformedTransfer"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WebhookNotReady"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /**
                 * @description Only tokens of this owner.
                 * @example acme
                 */
                owner?: components["parameters"]["TokenOwner"];
                /**
                 * @description Only tokens that can be used, or those that are revoked or have expired too.
                 * @example usable
                 */
                state?: components["parameters"]["TokenState"];
                /**
                 * @description How many tokens the page holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["TokenLimit"];
                /**
                 * @description `nextCursor` of the page before. Send the same filters with it.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["TokenCursor"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TokensListed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            default: components["responses"]["AnyProblem"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TokenInputBody"];
        responses: {
            201: components["responses"]["TokenCreated"];
            400: components["responses"]["MalformedTransfer"];
            403: components["responses"]["ReadForbidden"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a token, which is the part of its text between `txl_` and the secret.
                 * @example 3f0c9a1b2d4e5f60
                 */
                tokenId: components["parameters"]["TokenIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TokenFound"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a token, which is the part of its text between `txl_` and the secret.
                 * @example 3f0c9a1b2d4e5f60
                 */
                tokenId: components["parameters"]["TokenIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["TokenRevoked"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    updateToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a token, which is the part of its text between `txl_` and the secret.
                 * @example 3f0c9a1b2d4e5f60
                 */
                tokenId: components["parameters"]["TokenIdPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TokenUpdateInputBody"];
        responses: {
            200: components["responses"]["TokenUpdated"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The id of a token, which is the part of its text between `txl_` and the secret.
                 * @example 3f0c9a1b2d4e5f60
                 */
                tokenId: components["parameters"]["TokenIdPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TokenRotationInputBody"];
        responses: {
            201: components["responses"]["TokenRotated"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["AnyProblem"];
        };
    };
    listBoundAddresses: {
        parameters: {
            query?: {
                /**
                 * @description Only addresses that are bound to this owner.
                 * @example acme
                 */
                owner?: components["parameters"]["BindingOwner"];
                /**
                 * @description How many addresses the page holds at most.
                 * @example 10
                 */
                limit?: components["parameters"]["BindingLimit"];
                /**
                 * @description `nextCursor` of the page before. Send the same filters with it.
                 * @example AAAAAAAAAco
                 */
                cursor?: components["parameters"]["BindingCursor"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["BoundAddressesListed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            default: components["responses"]["AnyProblem"];
        };
    };
    bindAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The address, of this chain.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                address: components["parameters"]["BoundAddressPath"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["AddressBindingInputBody"];
        responses: {
            200: components["responses"]["AddressBound"];
            403: components["responses"]["WriteForbidden"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    unbindAddress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description The address, of this chain.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                address: components["parameters"]["BoundAddressPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["AddressUnbound"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidAddress"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getChain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ChainFound"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ChainUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Live"];
            400: components["responses"]["InvalidRequest"];
            503: components["responses"]["ServerBusy"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Ready"];
            400: components["responses"]["InvalidRequest"];
            503: components["responses"]["NotReady"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Metrics"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ServerBusy"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getApiCatalog: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiCatalogFound"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ServerBusy"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The `ETag` of the text that the caller has (RFC 9110), several of them with commas between, or `*`. Where one of them names the text that would be sent, the answer is 304 without a body.
                 * @example W/"oYAtYFpmdRNvFVBD"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContractInJson"];
            304: components["responses"]["ContractNotModified"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ShuttingDown"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getOpenapiYaml: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The `ETag` of the text that the caller has (RFC 9110), several of them with commas between, or `*`. Where one of them names the text that would be sent, the answer is 304 without a body.
                 * @example W/"oYAtYFpmdRNvFVBD"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContractInYaml"];
            304: components["responses"]["ContractNotModified"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ShuttingDown"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getOpenapiClientJson: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
                /**
                 * @description The `ETag` of the text that the caller has (RFC 9110), several of them with commas between, or `*`. Where one of them names the text that would be sent, the answer is 304 without a body.
                 * @example W/"oYAtYFpmdRNvFVBD"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContractForClients"];
            304: components["responses"]["ContractNotModified"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ShuttingDown"];
            default: components["responses"]["AnyProblem"];
        };
    };
    callRpc: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcCallBody"];
        responses: {
            200: components["responses"]["RpcCallResponse"];
            400: components["responses"]["RpcCallMalformed"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcCallUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcAbciInfo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcAbciInfoResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcAbciInfo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcAbciInfoResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcAbciQuery: {
        parameters: {
            query: {
                /**
                 * @description What is asked for. `/store/accounts/key` and `/store/governance/key` read the state and can prove it; `/account` answers for an address and `/governance` for roles, validators and rules, without proof; `/check_tx` says of a transaction whether the mempool would take it, and keeps nothing.
                 * @example "/account"
                 */
                path: components["parameters"]["RpcPath"];
                /**
                 * @description The key: the bytes of an address for `/store/accounts/key` and `/account`.
                 * @example 0x74786c7431713977777135783930357666753877787a6633747130616b766e64663067306d386b6578357a7835766d6836796b723668637571796861366c7a
                 */
                data?: components["parameters"]["RpcData"];
                /**
                 * @description The version of the state. 0, or left out, is the latest that a header commits to.
                 * @example 0
                 */
                height?: components["parameters"]["RpcStateHeight"];
                /**
                 * @description Whether the answer carries a proof.
                 * @example true
                 */
                prove?: components["parameters"]["RpcProve"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcAbciQueryResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcAbciQuery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcAbciQueryParamsBody"];
        responses: {
            200: components["responses"]["RpcAbciQueryResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBlock: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBlockResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBlock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeightParamsBody"];
        responses: {
            200: components["responses"]["RpcBlockResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBlockByHash: {
        parameters: {
            query: {
                /**
                 * @description The hash of the block.
                 * @example 0x67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
                 */
                hash: components["parameters"]["RpcBlockHash"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBlockByHashResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBlockByHash: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcBlockByHashParamsBody"];
        responses: {
            200: components["responses"]["RpcBlockByHashResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBlockResults: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBlockResultsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBlockResults: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeightParamsBody"];
        responses: {
            200: components["responses"]["RpcBlockResultsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBlockSearch: {
        parameters: {
            query: {
                /**
                 * @description Which blocks: conditions joined by AND, such as `block.height > 1`, at most 8 of them and 512 characters, in double quotes.
                 * @example "block.height > 1"
                 */
                query: components["parameters"]["RpcBlockQuery"];
                /**
                 * @description Which page, counted from 1. Left out, the first.
                 * @example 1
                 */
                page?: components["parameters"]["RpcPage"];
                /**
                 * @description How many the page holds at most: 30 when left out, never more than 100.
                 * @example 2
                 */
                per_page?: components["parameters"]["RpcPerPage"];
                /**
                 * @description From the earliest or from the latest. Left out, from the earliest for transactions and from the latest for blocks.
                 * @example "desc"
                 */
                order_by?: components["parameters"]["RpcOrderBy"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBlockSearchResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBlockSearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcBlockSearchParamsBody"];
        responses: {
            200: components["responses"]["RpcBlockSearchResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBlockchain: {
        parameters: {
            query?: {
                /**
                 * @description The lowest block. 0, or left out, is the first; of a longer range the answer has the 20 highest blocks.
                 * @example 1
                 */
                minHeight?: components["parameters"]["RpcMinHeight"];
                /**
                 * @description The highest block. 0, or left out, is the latest.
                 * @example 4
                 */
                maxHeight?: components["parameters"]["RpcMaxHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBlockchainResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBlockchain: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcBlockchainParamsBody"];
        responses: {
            200: components["responses"]["RpcBlockchainResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBroadcastEvidence: {
        parameters: {
            query: {
                /**
                 * @description The evidence, as JSON.
                 * @example {"type":"tendermint/DuplicateVoteEvidence","value":{}}
                 */
                evidence: components["parameters"]["RpcEvidenceQuery"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBroadcastEvidenceResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBroadcastEvidence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcBroadcastEvidenceParamsBody"];
        responses: {
            200: components["responses"]["RpcBroadcastEvidenceResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBroadcastTxAsync: {
        parameters: {
            query: {
                /**
                 * @description The raw bytes of the transaction: in hex after `0x`, or as a JSON string in double quotes with the quotes inside escaped. Percent-encode what a query string cannot carry.
                 * @example "{\"amount\":\"100\",\"chainId\":\"txledger-dev-1\",\"from\":\"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz\",\"nonce\":0,\"signature\":\"1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504\",\"to\":\"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq\"}"
                 */
                tx: components["parameters"]["RpcTransactionBytes"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBroadcastTxAsyncResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBroadcastTxAsync: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTransactionParamsBody"];
        responses: {
            200: components["responses"]["RpcBroadcastTxAsyncResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBroadcastTxCommit: {
        parameters: {
            query: {
                /**
                 * @description The raw bytes of the transaction: in hex after `0x`, or as a JSON string in double quotes with the quotes inside escaped. Percent-encode what a query string cannot carry.
                 * @example "{\"amount\":\"100\",\"chainId\":\"txledger-dev-1\",\"from\":\"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz\",\"nonce\":0,\"signature\":\"1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504\",\"to\":\"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq\"}"
                 */
                tx: components["parameters"]["RpcTransactionBytes"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBroadcastTxCommitResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUndecided"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBroadcastTxCommit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTransactionParamsBody"];
        responses: {
            200: components["responses"]["RpcBroadcastTxCommitResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUndecided"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcBroadcastTxSync: {
        parameters: {
            query: {
                /**
                 * @description The raw bytes of the transaction: in hex after `0x`, or as a JSON string in double quotes with the quotes inside escaped. Percent-encode what a query string cannot carry.
                 * @example "{\"amount\":\"100\",\"chainId\":\"txledger-dev-1\",\"from\":\"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz\",\"nonce\":0,\"signature\":\"1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504\",\"to\":\"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq\"}"
                 */
                tx: components["parameters"]["RpcTransactionBytes"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcBroadcastTxSyncResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcBroadcastTxSync: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTransactionParamsBody"];
        responses: {
            200: components["responses"]["RpcBroadcastTxSyncResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcCheckTx: {
        parameters: {
            query: {
                /**
                 * @description The raw bytes of the transaction: in hex after `0x`, or as a JSON string in double quotes with the quotes inside escaped. Percent-encode what a query string cannot carry.
                 * @example "{\"amount\":\"100\",\"chainId\":\"txledger-dev-1\",\"from\":\"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz\",\"nonce\":0,\"signature\":\"1c2bb933a82bb9fec30ba3e198199be063f4f8715cfb0c09d090ee985d95291e0a20d14f41c99903f5b4ac4f626c18c78d362fdfcbfaa489cc4f07f99d4e7504\",\"to\":\"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq\"}"
                 */
                tx: components["parameters"]["RpcTransactionBytes"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcCheckTxResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcCheckTx: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTransactionParamsBody"];
        responses: {
            200: components["responses"]["RpcCheckTxResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcCommit: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcCommitResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcCommit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeightParamsBody"];
        responses: {
            200: components["responses"]["RpcCommitResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcConsensusParams: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcConsensusParamsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcConsensusParams: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeightParamsBody"];
        responses: {
            200: components["responses"]["RpcConsensusParamsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcConsensusState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcConsensusStateResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcConsensusState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcConsensusStateResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcDumpConsensusState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcDumpConsensusStateResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcDumpConsensusState: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcDumpConsensusStateResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcGenesis: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcGenesisResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcGenesis: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcGenesisResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcGenesisChunked: {
        parameters: {
            query?: {
                /**
                 * @description Which piece, counted from 0.
                 * @example 0
                 */
                chunk?: components["parameters"]["RpcChunk"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcGenesisChunkedResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcGenesisChunked: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcGenesisChunkedParamsBody"];
        responses: {
            200: components["responses"]["RpcGenesisChunkedResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcHeader: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcHeaderResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcHeader: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeightParamsBody"];
        responses: {
            200: components["responses"]["RpcHeaderResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcHeaderByHash: {
        parameters: {
            query: {
                /**
                 * @description The hash of the block.
                 * @example 0x67621A7C597ADB659FCFBFF750C5BACA785880D2C454A9D4C7036B392E6DB86A
                 */
                hash: components["parameters"]["RpcBlockHash"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcHeaderByHashResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcHeaderByHash: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcHeaderByHashParamsBody"];
        responses: {
            200: components["responses"]["RpcHeaderByHashResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcHealthResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcHealth: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcHealthResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcNetInfo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcNetInfoResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcNetInfo: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcNetInfoResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcNumUnconfirmedTxs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcNumUnconfirmedTxsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcNumUnconfirmedTxs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcNumUnconfirmedTxsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcStatusResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcNoParamsBody"];
        responses: {
            200: components["responses"]["RpcStatusResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcTx: {
        parameters: {
            query: {
                /**
                 * @description The txHash.
                 * @example 0xC2FDB57E95AF8CEEAF8AE252D5851A3D1C3FC0EE884467FA4B2A86CB0C45136A
                 */
                hash: components["parameters"]["RpcTransactionHash"];
                /**
                 * @description Whether the answer carries a proof.
                 * @example true
                 */
                prove?: components["parameters"]["RpcProve"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcTxResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcTx: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTxParamsBody"];
        responses: {
            200: components["responses"]["RpcTxResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcTxSearch: {
        parameters: {
            query: {
                /**
                 * @description Which transactions: conditions joined by AND, such as `tx.height=4`, at most 8 of them and 512 characters, in double quotes.
                 * @example "tx.height=4"
                 */
                query: components["parameters"]["RpcTransactionQuery"];
                /**
                 * @description Whether the answer carries a proof.
                 * @example true
                 */
                prove?: components["parameters"]["RpcProve"];
                /**
                 * @description Which page, counted from 1. Left out, the first.
                 * @example 1
                 */
                page?: components["parameters"]["RpcPage"];
                /**
                 * @description How many the page holds at most: 30 when left out, never more than 100.
                 * @example 2
                 */
                per_page?: components["parameters"]["RpcPerPage"];
                /**
                 * @description From the earliest or from the latest. Left out, from the earliest for transactions and from the latest for blocks.
                 * @example "desc"
                 */
                order_by?: components["parameters"]["RpcOrderBy"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcTxSearchResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcTxSearch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcTxSearchParamsBody"];
        responses: {
            200: components["responses"]["RpcTxSearchResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcUnconfirmedTxs: {
        parameters: {
            query?: {
                /**
                 * @description How many transactions: 30 when left out, never more than 100.
                 * @example 1
                 */
                limit?: components["parameters"]["RpcLimit"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcUnconfirmedTxsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcUnconfirmedTxs: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcUnconfirmedTxsParamsBody"];
        responses: {
            200: components["responses"]["RpcUnconfirmedTxsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    getRpcValidators: {
        parameters: {
            query?: {
                /**
                 * @description The block. Left out, the latest that the method knows.
                 * @example 4
                 */
                height?: components["parameters"]["RpcHeight"];
                /**
                 * @description Which page, counted from 1. Left out, the first.
                 * @example 1
                 */
                page?: components["parameters"]["RpcPage"];
                /**
                 * @description How many the page holds at most: 30 when left out, never more than 100.
                 * @example 2
                 */
                per_page?: components["parameters"]["RpcPerPage"];
            };
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RpcValidatorsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    postRpcValidators: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The caller's own name for this request, echoed in the answer and written in the log. One that is not 1 to 128 letters, digits, dots, dashes and underscores is replaced, not refused.
                 * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RpcValidatorsParamsBody"];
        responses: {
            200: components["responses"]["RpcValidatorsResponse"];
            400: components["responses"]["RpcRefused"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["RpcNotFound"];
            503: components["responses"]["RpcUnavailable"];
            default: components["responses"]["AnyProblem"];
        };
    };
    receiveCommittedTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EventMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
    receiveFailedTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EventMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
    receiveCancelledTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EventMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
    receiveExpiredTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EventMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TestMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
    receiveWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The name of the message, the same in every attempt and in every replay. Do not act on one that you have acted on before.
                 * @example 1204-3
                 */
                "webhook-id": components["schemas"]["WebhookMessageId"];
                /**
                 * @description When this attempt was signed, as Unix time in whole seconds. Refuse what is more than five minutes away from your clock.
                 * @example 1795257000
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA-256, with the bytes that the secret is the base64 of as its key, over the text `ID.TIMESTAMP.BODY`: the two headers above and the exact bytes of the body, joined by full stops. After a rotation there are several, separated by spaces, one by each secret that still counts: one that matches is enough. Compare in constant time.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["DisabledMessageBody"];
        responses: {
            410: components["responses"]["WebhookGone"];
            "2XX": components["responses"]["WebhookTaken"];
            "4XX": components["responses"]["WebhookNotTaken"];
            "5XX": components["responses"]["WebhookNotTaken"];
        };
    };
}
