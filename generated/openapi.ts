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
         * @description Lists transfers from the latest to the earliest first seen by this service, page by page. Filters are joined by "and". The chain is public: every token with the scope sees every transfer. Cancels are not listed. An unknown or repeated query parameter is 400. A body is ignored.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Submit a signed transfer
         * @description Takes in a signed transfer. The acknowledgement means that it is durable (synced to disk) and that signature, nonce and funds were checked; a block then decides. Sending the same transfer again is safe and answers 200: a transfer is its sender, nonce, receiver and amount, so it is paid at most once. With `Prefer: wait=N` the answer is held until a block has decided. Rules are judged in a fixed order and the first that fails answers: host, origin, token, scope, rate, media type, size, JSON, schema, addresses, signature, txHash, replay, conflict, nonce too low, void, too high, funds.
         */
        post: operations["submitTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transfer and its history
         * @description Tells one transfer with what happened to it, when and why. It is found under the hash first seen here and under the one a block executed it as. A body is ignored.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending transfer
         * @description Voids the nonce of a pending transfer on the chain, so that neither these bytes nor any others with that nonce can ever execute. The request is recorded durably and cannot be taken back. The answer waits for the deciding block, 10 s unless `Prefer: wait=N` says otherwise, and is 202 if none has come by then. Only the owner that submitted the transfer may cancel it, or a token that also has the scope `transactions:cancel-any`. A body is ignored.
         */
        delete: operations["cancelTransaction"];
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
         * @description Tells what is needed to sign the next transfer of an account, as of the last block applied by this service. An address that no block has named yet is an empty account, not a 404. A body is ignored.
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
    "/chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the facts of the chain
         * @description Tells the chain id, the address prefix, the height and the genesis of the chain that this service stands in front of. It needs no token. A body is ignored.
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
         * @description Answers as long as the process runs, also while it is draining. A supervisor restarts the process when this does not answer. It is not rate limited. A body is ignored.
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
         * @description Checks the chain, the age of the last block, the database and whether the service is draining. A load balancer sends no requests while this answers 503. It is not rate limited. A body is ignored.
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
         * @description The metrics of this process in the Prometheus text format. It is not rate limited. A body is ignored.
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
}
export type webhooks = Record<string, never>;
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
         * @description Where a transaction stands. `pending` is the only status that changes; the others are facts on the chain and final: `committed` (the money moved), `failed` (it can never move any more; the reason says why), `cancelled` (its nonce was voided before a block executed it) and `expired` (voided by this service because it stayed pending past its time to live).
         * @example committed
         * @enum {string}
         */
        TransactionStatus: "pending" | "committed" | "failed" | "cancelled" | "expired";
        /**
         * @description An account address: bech32m (BIP-350) of the account's 32-byte Ed25519 public key, in lower case. The prefix is `txl` on a production chain and `txlt` on a development or test chain. The pattern covers prefix, alphabet, case and length (a violation is 400 `invalid_request`); the checksum, the prefix of this chain and the public key itself are checked after it (422 `invalid_address`).
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        Address: string;
        /**
         * @description The name of one request in logs and answers.
         * @example 0d9f6a1e-6c1f-4a53-9d0e-2f6a5f0c7b11
         */
        RequestId: string;
        /**
         * Format: uint128
         * @description A sum of money as a decimal string of integer minor units, at least 1 and at most 2^128-1 (340282366920938463463374607431768211455). It is a string because JSON numbers are exact only up to 2^53. The format `uint128` stands for the upper bound, which a pattern cannot say; both are schema rules (400 `invalid_request`).
         * @example 100
         */
        Amount: string;
        /**
         * @description The identity of a transaction, in this API, in the RPC and in blocks: the SHA-256 of its raw bytes, as 64 upper-case hex digits.
         * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
         */
        TxHash: string;
        /**
         * Format: date-time
         * @description A moment in UTC as RFC 3339 writes it, ending in `Z`. Times of blocks carry up to nine digits of a second (CometBFT counts nanoseconds), times of this service three.
         * @example 2026-11-21T09:30:01.250Z
         */
        Timestamp: string;
        /**
         * @description Why a transaction has its status. While pending: `waiting_for_nonce` (an earlier nonce of the sender has not been used yet), `broadcast` (handed to the chain, to be decided by a block), `cancel_requested` (a cancel is under way). When failed: `insufficient_funds` (a block executed it without enough money in the account) or `nonce_superseded` (another payment or cancel took its nonce).
         * @example waiting_for_nonce
         * @enum {string}
         */
        StatusReasonCode: "waiting_for_nonce" | "broadcast" | "cancel_requested" | "insufficient_funds" | "nonce_superseded";
        /** @description Why a transaction is still pending, or why it failed. */
        StatusReason: {
            code: components["schemas"]["StatusReasonCode"];
            /**
             * @description The reason in a sentence for people. Its wording may change; programs read `code`.
             * @example The transfer has nonce 5; the chain expects nonce 1 of this account next.
             */
            detail: string;
            /** @description With `nonce_superseded`, the payment or cancel that took the nonce. Absent with every other code. */
            txHash?: components["schemas"]["TxHash"];
        };
        /**
         * Format: int64
         * @description The number of a block, counted from 1.
         * @example 42
         */
        BlockHeight: number;
        /** @description What is told about a transfer wherever one appears. Nonce and signature are not part of it. A member that does not apply is absent, never null. */
        TransactionBase: {
            /** @description The account that pays. */
            from: components["schemas"]["Address"];
            /** @description The account that receives. */
            to: components["schemas"]["Address"];
            amount: components["schemas"]["Amount"];
            txHash: components["schemas"]["TxHash"];
            status: components["schemas"]["TransactionStatus"];
            /** @description When this service first saw the transfer. Lists run from the latest to the earliest. */
            firstSeenAt: components["schemas"]["Timestamp"];
            /** @description Why the transfer is still pending, or why it failed. Always there when failed, never in any other final status. */
            reason?: components["schemas"]["StatusReason"];
            /** @description The block that decided the transfer. There exactly when the status is final. */
            height?: components["schemas"]["BlockHeight"];
            /** @description The time of the block that decided the transfer. There exactly when the status is final. */
            blockTime?: components["schemas"]["Timestamp"];
            /** @description The hash under which a block executed this payment, when it carried another valid signature than the one first seen here. Either hash finds the transfer. */
            executedAs?: components["schemas"]["TxHash"];
        };
        /** @description A transfer as lists and acknowledgements tell it. */
        Transaction: components["schemas"]["TransactionBase"];
        /** @description One page of the list, newest first. The pages joined are the whole list: no transfer twice, none missed, also while others are being submitted. */
        TransactionPage: {
            /** @description The transfers of this page, at most `limit` of them. */
            transactions: components["schemas"]["Transaction"][];
            /** @description What to send as `cursor` to get the next page. Absent on the last page. */
            nextCursor?: components["schemas"]["Cursor"];
        };
        /**
         * @description What kind of problem it is, for programs to act on. The list is closed: a new code comes with a new minor version of this contract.
         * @example nonce_conflict
         * @enum {string}
         */
        ProblemCode: "malformed_json" | "invalid_request" | "unauthenticated" | "insufficient_scope" | "not_submitter" | "origin_not_allowed" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "nonce_too_low" | "nonce_conflict" | "nonce_cancelled" | "already_settled" | "body_too_large" | "unsupported_media_type" | "host_not_allowed" | "invalid_address" | "invalid_signature" | "tx_hash_mismatch" | "insufficient_funds" | "nonce_too_high" | "rate_limited" | "too_many_pending" | "headers_too_large" | "internal" | "pool_full" | "engine_unavailable" | "store_unavailable" | "shutting_down";
        /** @description One thing wrong with a request. */
        FieldError: {
            /**
             * @description Where it is wrong. In the body, a JSON pointer (RFC 6901) such as `/amount`, empty for the body as a whole. In a parameter, `#/query/{name}`, `#/path/{name}` or `#/header/{name}`.
             * @example /amount
             */
            pointer: string;
            /**
             * @description What is wrong and what was expected, in a sentence for people.
             * @example must be a decimal string of integer minor units without sign, point, exponent or leading zero
             */
            message: string;
        };
        /** @description An error, as RFC 9457 describes problems of HTTP APIs. Every error of this API has these members; each `code` has a schema of its own that closes it, some with further members. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Where this kind of problem is explained, relative to the base URL of the API. It ends in the code.
             * @example /docs/errors#nonce_conflict
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
             * @example Nonce 0 of this account is held by another payment. Sign with nextNonce instead.
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
            /** @description The transaction that the problem is about, where it is known. For `nonce_conflict` the one that holds the nonce, otherwise the one of the request. */
            txHash?: components["schemas"]["TxHash"];
            /** @description Each thing that is wrong with the request, where more can be said than `detail` does. At most 16 are listed. */
            errors?: components["schemas"]["FieldError"][];
        };
        /** @description A member or parameter is missing, unknown, repeated or of the wrong form, or the body is not an object. An amount over 2^128-1 and a cursor that this service never made are such cases. */
        InvalidRequestProblem: {
            /** @constant */
            code?: "invalid_request";
        } & WithRequired<components["schemas"]["Problem"], "errors">;
        /** @description The request carries no bearer token, or one that is unknown, expired or revoked. */
        UnauthenticatedProblem: {
            /** @constant */
            code?: "unauthenticated";
        } & components["schemas"]["Problem"];
        /** @description The token is valid, but it does not carry the scope that the operation needs. */
        InsufficientScopeProblem: {
            /** @constant */
            code?: "insufficient_scope";
        } & components["schemas"]["Problem"];
        /** @description The request carries an Origin header of a web page that the operator has not allowed. */
        OriginNotAllowedProblem: {
            /** @constant */
            code?: "origin_not_allowed";
        } & components["schemas"]["Problem"];
        /** @description The Accept header rules out every media type that this operation can answer with when it succeeds. */
        NotAcceptableProblem: {
            /** @constant */
            code?: "not_acceptable";
        } & components["schemas"]["Problem"];
        /** @description Headers and body of the request were not complete within 15 seconds. */
        RequestTimeoutProblem: {
            /** @constant */
            code?: "request_timeout";
        } & components["schemas"]["Problem"];
        /** @description The Host header names a host that the operator has not allowed. */
        HostNotAllowedProblem: {
            /** @constant */
            code?: "host_not_allowed";
        } & components["schemas"]["Problem"];
        /** @description An address has the right form, but its checksum is wrong (perhaps a typing error, or bech32 instead of bech32m), it belongs to another network, or its key is one that no one can safely own. */
        InvalidAddressProblem: {
            /** @constant */
            code?: "invalid_address";
        } & WithRequired<components["schemas"]["Problem"], "errors">;
        /** @description The token or the client address has used up its quota for now. */
        RateLimitedProblem: {
            /** @constant */
            code?: "rate_limited";
        } & components["schemas"]["Problem"];
        /** @description The header section of the request is larger than 16 KiB. */
        HeadersTooLargeProblem: {
            /** @constant */
            code?: "headers_too_large";
        } & components["schemas"]["Problem"];
        /** @description A fault of the service. The request is in its log under requestId. */
        InternalProblem: {
            /** @constant */
            code?: "internal";
        } & components["schemas"]["Problem"];
        /** @description The database cannot be reached or does not take writes. */
        StoreUnavailableProblem: {
            /** @constant */
            code?: "store_unavailable";
        } & components["schemas"]["Problem"];
        /** @description The service is being stopped and takes no new requests. */
        ShuttingDownProblem: {
            /** @constant */
            code?: "shutting_down";
        } & components["schemas"]["Problem"];
        /**
         * Format: int64
         * @description The number of a transfer among those of its sender, counted from 0 without gaps. It runs to 2^53-1 so that JSON numbers stay exact in every language. Only the plain integer notation is accepted: `1.0`, `1e3` and `-0` are 400.
         * @example 0
         */
        Nonce: number;
        /**
         * @description The Ed25519 signature (RFC 8032, strict verification) of the transfer's sign bytes by the sender's key: 128 lower-case hex digits. The sign bytes are `txledger-transfer-v1`, a line feed, and the JSON object with the keys amount, chainId, from, nonce, to in this order and without spaces.
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
            signature: components["schemas"]["Signature"];
            /** @description The hash that the caller computed. Optional; when sent it is compared, and a difference is 422 `tx_hash_mismatch` with both values. */
            txHash?: components["schemas"]["TxHashInput"];
        };
        /** @description The bytes of the body are not one JSON value in UTF-8, or they are but not in the one way that every parser reads alike: a duplicate key, a number such as 1.0, 1e3, -0 or one past 2^53-1, a byte order mark. */
        MalformedJsonProblem: {
            /** @constant */
            code?: "malformed_json";
        } & components["schemas"]["Problem"];
        /** @description The transaction was submitted by another owner, or the operator has bound the sending address to another owner. */
        NotSubmitterProblem: {
            /** @constant */
            code?: "not_submitter";
        } & components["schemas"]["Problem"];
        /** @description The chain has already used this nonce of the account. */
        NonceTooLowProblem: {
            /** @constant */
            code?: "nonce_too_low";
        } & components["schemas"]["Problem"];
        /** @description Another payment of the same account has this nonce and is pending or executed. It is named in txHash. */
        NonceConflictProblem: {
            /** @constant */
            code?: "nonce_conflict";
        } & WithRequired<components["schemas"]["Problem"], "txHash">;
        /** @description A cancel has voided this nonce, so no transfer with it can ever execute. */
        NonceCancelledProblem: {
            /** @constant */
            code?: "nonce_cancelled";
        } & components["schemas"]["Problem"];
        /** @description The body is larger than 16 KiB. */
        BodyTooLargeProblem: {
            /** @constant */
            code?: "body_too_large";
        } & components["schemas"]["Problem"];
        /** @description The body has another media type than application/json, another charset than UTF-8, a further parameter or a Content-Encoding. */
        UnsupportedMediaTypeProblem: {
            /** @constant */
            code?: "unsupported_media_type";
        } & components["schemas"]["Problem"];
        /** @description The signature is not one of the account's key over the exact sign bytes of this transfer on this chain. They are given in signBytes. */
        InvalidSignatureProblem: {
            /** @constant */
            code?: "invalid_signature";
            /**
             * @description The exact bytes that the signature had to be made over, as text: every one of them is ASCII, and the line feed after the first line is part of them.
             * @example txledger-transfer-v1
             *     {"amount":"100","chainId":"txledger-dev-1","from":"txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz","nonce":0,"to":"txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq"}
             */
            signBytes: string;
        } & components["schemas"]["Problem"];
        /** @description The txHash in the request differs from the SHA-256 of the transfer's raw bytes. Both are given. */
        TxHashMismatchProblem: {
            /** @constant */
            code?: "tx_hash_mismatch";
            /** @description The hash that the server computed from the transfer. */
            expectedTxHash: components["schemas"]["TxHash"];
            /** @description The hash that the request carried, in upper case. */
            actualTxHash: components["schemas"]["TxHash"];
        } & components["schemas"]["Problem"];
        /** @description The balance of the account, less everything it has pending, is smaller than the amount. Money that is still to come in does not count, and an account that does not exist has none. */
        InsufficientFundsProblem: {
            /** @constant */
            code?: "insufficient_funds";
        } & components["schemas"]["Problem"];
        /** @description The nonce is 1,024 or more ahead of the one that the chain expects. */
        NonceTooHighProblem: {
            /** @constant */
            code?: "nonce_too_high";
        } & components["schemas"]["Problem"];
        /** @description The owner of the token has as many pending transactions as one owner may have. */
        TooManyPendingProblem: {
            /** @constant */
            code?: "too_many_pending";
        } & components["schemas"]["Problem"];
        /** @description As many transactions are pending as the service takes in altogether. */
        PoolFullProblem: {
            /** @constant */
            code?: "pool_full";
        } & components["schemas"]["Problem"];
        /** @description The chain cannot be reached, makes no blocks, or does not carry on from the block that this service knows. */
        EngineUnavailableProblem: {
            /** @constant */
            code?: "engine_unavailable";
        } & components["schemas"]["Problem"];
        /**
         * @description What happened to a transaction. `accepted` (durably taken in by this service) or `seen_on_chain` (first met in a block, submitted elsewhere) comes first; `broadcast` (first handed to the chain), `cancel_requested` (by a caller) and `expiry_requested` (by this service, after the time to live) may follow; one of `committed`, `failed`, `cancelled` and `expired` ends it.
         * @example accepted
         * @enum {string}
         */
        HistoryEvent: "accepted" | "seen_on_chain" | "broadcast" | "cancel_requested" | "expiry_requested" | "committed" | "failed" | "cancelled" | "expired";
        /** @description One event in the life of a transaction. */
        HistoryEntry: {
            /** @description When this service recorded the event; for an event decided by a block, the time of that block. */
            at: components["schemas"]["Timestamp"];
            event: components["schemas"]["HistoryEvent"];
            /**
             * @description Why it happened, in a sentence for people. Absent when the event says it all.
             * @example The sender's balance at height 42 was 0.
             */
            detail?: string;
            /** @description The block that decided the event. Absent for events outside the chain. */
            height?: components["schemas"]["BlockHeight"];
            /** @description Another transaction that the event is about, such as the cancel that voided the nonce or the payment that took it. Absent when there is none. */
            txHash?: components["schemas"]["TxHash"];
        };
        /** @description A transfer with its history. */
        TransactionDetail: {
            /** @description What happened to the transfer, earliest first, each event at most once. */
            history: components["schemas"]["HistoryEntry"][];
        } & components["schemas"]["TransactionBase"];
        /** @description No transaction with this hash has been seen by this service, or the path does not exist. */
        NotFoundProblem: {
            /** @constant */
            code?: "not_found";
        } & components["schemas"]["Problem"];
        /** @description The transaction cannot be cancelled: it has committed, failed or expired, which is final. Its status is in transactionStatus. */
        AlreadySettledProblem: {
            /** @constant */
            code?: "already_settled";
            /**
             * @description The final status that the transaction has.
             * @example committed
             * @enum {string}
             */
            transactionStatus: "committed" | "failed" | "expired";
        } & WithRequired<components["schemas"]["Problem"], "txHash">;
        /**
         * Format: uint128
         * @description What an account holds, as a decimal string of integer minor units, from 0 to 2^128-1.
         * @example 1000000000000000
         */
        Balance: string;
        /** @description What an integrator needs to sign the next transfer. An address that no block has named yet is an empty account, not an error. */
        Account: {
            address: components["schemas"]["Address"];
            /** @description What the account holds as of the last block that this service has applied; pending transfers are not subtracted. */
            balance: components["schemas"]["Balance"];
            /** @description The nonce that the chain expects next from this account. */
            nonce: components["schemas"]["Nonce"];
            /** @description The nonce to sign next, the lowest that is neither void nor held by a pending transfer known here. */
            nextNonce: components["schemas"]["Nonce"];
        };
        /**
         * @description The name of a chain, part of everything signed for it, so that a signature for one chain never verifies on another.
         * @example txledger-dev-1
         */
        ChainId: string;
        /**
         * @description The prefix of this chain's addresses, `txl` in production, `txlt` for development and test.
         * @example txlt
         * @enum {string}
         */
        AddressPrefix: "txl" | "txlt";
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
            /**
             * Format: int32
             * @description The longest time, in milliseconds, that an executable transfer waits for its block.
             * @example 1000
             */
            blockIntervalMs: number;
            /**
             * @description SHA-256 of the bytes of the genesis file, 64 upper-case hex digits.
             * @example 5F1E2D4C8B7A69583746251403F2E1D0CFBEAD9C8B7A69584736251403F2E1D0
             */
            genesisHash: string;
        };
        /** @description The process is up and answers. */
        Liveness: {
            /**
             * @description Always `ok`; a process that is not alive does not answer.
             * @example ok
             * @constant
             */
            status: "ok";
        };
        /**
         * @description What is checked: `engine` (the chain can be reached, carries on from the block applied last and trusts its clock), `block_age` (the last block is young enough), `store` (the database takes writes) and `accepting` (the service is not draining for a shutdown).
         * @example engine
         * @enum {string}
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
             * @constant
             */
            status: "ready";
            checks: components["schemas"]["ReadinessChecks"];
        };
        /** @description The service cannot take work now. The code names the first check that failed: `engine_unavailable` for `engine` and `block_age`, `store_unavailable` for `store`, `shutting_down` for `accepting`. */
        ReadinessProblem: {
            /**
             * @description Which part keeps the service from taking work.
             * @example engine_unavailable
             * @enum {string}
             */
            code?: "engine_unavailable" | "store_unavailable" | "shutting_down";
            checks: components["schemas"]["ReadinessChecks"];
        } & components["schemas"]["Problem"];
        /**
         * @description Metrics in the Prometheus text exposition format, version 0.0.4, in seconds and other base units.
         * @example # HELP process_start_time_seconds Start time of the process since unix epoch in seconds.
         *     # TYPE process_start_time_seconds gauge
         *     process_start_time_seconds 1795253400
         */
        PrometheusText: string;
        /** @description An OpenAPI 3.1 description of this API in one file: this contract, bundled. */
        OpenapiDocument: {
            /**
             * @description The version of the OpenAPI specification that the document follows.
             * @example 3.1.1
             */
            openapi: string;
            /** @description Title, version and license, an Info Object as OpenAPI 3.1 section 4.8.2 defines it. */
            info: Record<string, never>;
            /** @description The operations, a Paths Object as OpenAPI 3.1 section 4.8.8 defines it. */
            paths: Record<string, never>;
        };
        /**
         * @description The bundled contract as YAML text.
         * @example openapi: 3.1.1
         */
        YamlText: string;
        /** @description The path exists, but not with this method. */
        MethodNotAllowedProblem: {
            /** @constant */
            code?: "method_not_allowed";
        } & components["schemas"]["Problem"];
    };
    responses: {
        /** @description The path has no such method. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["MethodNotAllowedProblem"];
            };
        };
        /** @description A page of transfers. */
        TransactionList: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidRequestProblem"];
            };
        };
        /** @description No valid token was sent. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticateScope"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["OriginNotAllowedProblem"];
            };
        };
        /** @description The caller accepts none of the media types of this operation. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotAcceptableProblem"];
            };
        };
        /** @description The request was not complete in time. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        /** @description The request was meant for another host. */
        HostNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["HostNotAllowedProblem"];
            };
        };
        /** @description An address has the right form but is not one of this chain. */
        InvalidAddress: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidAddressProblem"];
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
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
        /** @description The header section is too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["HeadersTooLargeProblem"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        /** @description The service cannot read its records now. */
        ReadUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["ShuttingDownProblem"];
            };
        };
        /** @description The same transfer was known already, under this signature or another valid one. Nothing was changed; the body is the one resource, whatever its status. */
        TransactionReplayed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The transfer is durably taken in and will be decided by a block. If the caller preferred to wait, the body may carry a final status other than committed. */
        TransactionAccepted: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                Location: components["headers"]["Location"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Transaction"];
            };
        };
        /** @description The body is not JSON, or it does not fit the contract. */
        MalformedTransfer: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["MalformedJsonProblem"] | components["schemas"]["InvalidRequestProblem"];
            };
        };
        /** @description The token lacks the scope, the matter is another owner's, or a web page that may not call did. */
        WriteForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticateScope"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InsufficientScopeProblem"] | components["schemas"]["NotSubmitterProblem"] | components["schemas"]["OriginNotAllowedProblem"];
            };
        };
        /** @description The nonce cannot be used for this transfer. */
        NonceTaken: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NonceTooLowProblem"] | components["schemas"]["NonceConflictProblem"] | components["schemas"]["NonceCancelledProblem"];
            };
        };
        /** @description The body is too large. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BodyTooLargeProblem"];
            };
        };
        /** @description The body is not plain JSON. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description The transfer is well formed, but it cannot be accepted. */
        RefusedTransfer: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InvalidAddressProblem"] | components["schemas"]["InvalidSignatureProblem"] | components["schemas"]["TxHashMismatchProblem"] | components["schemas"]["InsufficientFundsProblem"] | components["schemas"]["NonceTooHighProblem"];
            };
        };
        /** @description Too many requests, or too many pending transactions of one owner. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PoolFullProblem"] | components["schemas"]["EngineUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["ShuttingDownProblem"];
            };
        };
        /** @description The transfer with its history. */
        TransactionFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"];
            };
        };
        /** @description The transfer is cancelled and can never execute. Asked again, the answer is the same. */
        TransactionCancelled: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                "Preference-Applied": components["headers"]["PreferenceApplied"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["AlreadySettledProblem"];
            };
        };
        /** @description The service cannot tell the state of the chain now. */
        ChainUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["EngineUnavailableProblem"] | components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["ShuttingDownProblem"];
            };
        };
        /** @description The state of the account. */
        AccountFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Account"];
            };
        };
        /** @description The facts of the chain. */
        ChainFound: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Chain"];
            };
        };
        /** @description A web page that may not call did. */
        OriginNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["OriginNotAllowedProblem"];
            };
        };
        /** @description The process is up. */
        Live: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Liveness"];
            };
        };
        /** @description The service can take work. */
        Ready: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                [name: string]: unknown;
            };
            content: {
                "text/plain": components["schemas"]["PrometheusText"];
            };
        };
        /** @description This contract, bundled, as JSON. */
        ContractInJson: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OpenapiDocument"];
            };
        };
        /** @description The service is being stopped. */
        ShuttingDown: {
            headers: {
                "X-Request-Id": components["headers"]["XRequestId"];
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
                "Cache-Control": components["headers"]["CacheControl"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/yaml": components["schemas"]["YamlText"];
            };
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
        Cursor: components["schemas"]["Cursor"];
        /**
         * @description Only transfers that have this status now.
         * @example pending
         */
        StatusFilter: components["schemas"]["TransactionStatus"];
        /**
         * @description Only transfers that this account pays.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        FromFilter: components["schemas"]["Address"];
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
         * @description `wait=N` (RFC 7240) holds the answer for up to N seconds, 0 to 30, until a block has decided; more than 30 counts as 30. Other preferences are ignored, as RFC 7240 demands.
         * @example wait=10
         */
        Prefer: string;
        /**
         * @description The txHash of the transaction, in either case.
         * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
         */
        TransactionId: components["schemas"]["TxHashInput"];
        /**
         * @description The address of the account.
         * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
         */
        AccountAddress: components["schemas"]["Address"];
    };
    requestBodies: {
        /** @description The signed transfer, at most 16 KiB of UTF-8 JSON without duplicate keys or unknown members. */
        TransactionInput: {
            content: {
                "application/json": components["schemas"]["TransactionInput"];
            };
        };
    };
    headers: {
        /** @description The name of this request in logs and errors. The caller's own `X-Request-Id` if it fits the pattern, otherwise one made here. */
        XRequestId: components["schemas"]["RequestId"];
        /** @description Whether the answer may be kept. `no-store` everywhere but on the contract itself. */
        CacheControl: "no-store" | "public, max-age=300";
        /** @description What is left of the caller's quota, as the IETF draft "RateLimit header fields for HTTP" writes it: `r` requests in the next `t` seconds. Absent where no limit applies. */
        RateLimit: string;
        /** @description The caller's quota, as the IETF draft "RateLimit header fields for HTTP" writes it: `q` requests in every `w` seconds. Absent where no limit applies. */
        RateLimitPolicy: string;
        /** @description Which kind of token is wanted and what was wrong with the one sent, as RFC 6750 section 3 writes it. */
        WwwAuthenticate: string;
        /** @description With `insufficient_scope`, the scope that the operation needs, as RFC 6750 section 3 writes it. Absent with other codes. */
        WwwAuthenticateScope: string;
        /** @description After how many seconds the same request is worth sending again (RFC 9110 section 10.2.3). */
        RetryAfter: number;
        /** @description Where the transaction is found, relative to the base URL of the API. The last segment is the txHash. */
        Location: string;
        /** @description Says that the request changed nothing, because the same transfer was known already. */
        IdempotentReplayed: "true";
        /** @description The preference that was honoured (RFC 7240 section 3), with the wait in seconds that was really applied. Absent when the request preferred nothing that this operation knows. */
        PreferenceApplied: string;
        /** @description The methods that this path has. */
        Allow: string;
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
                cursor?: components["parameters"]["Cursor"];
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
                 * @description Only transfers that this account receives.
                 * @example txlt1s6qu97hkxjf5g2wy7vxyq9g6rqlxx2cfnq2u5yrj2stqvq5nglpq20x7jq
                 */
                to?: components["parameters"]["ToFilter"];
                /**
                 * @description Only transfers that this account pays or receives.
                 * @example txlt1q9wwq5x905vfu8wxzf3tq0akvndf0g0m8kex5zx5vmh6ykr6hcuqyha6lz
                 */
                account?: components["parameters"]["AccountFilter"];
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
            200: components["responses"]["TransactionList"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["InvalidAddress"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ReadUnavailable"];
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["TransactionInput"];
        responses: {
            200: components["responses"]["TransactionReplayed"];
            201: components["responses"]["TransactionCommitted"];
            202: components["responses"]["TransactionAccepted"];
            400: components["responses"]["MalformedTransfer"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NonceTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["RefusedTransfer"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["SubmitUnavailable"];
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
            };
            path: {
                /**
                 * @description The txHash of the transaction, in either case.
                 * @example 2CA587E992E30E9096008AE35B238C8990A6D32D741CFCE86CF97DCF71BFB800
                 */
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionFound"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ReadUnavailable"];
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
                transactionId: components["parameters"]["TransactionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TransactionCancelled"];
            202: components["responses"]["CancelRequested"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["WriteForbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["AlreadySettled"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ChainUnavailable"];
        };
    };
    getAccount: {
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
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ReadForbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            422: components["responses"]["InvalidAddress"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ChainUnavailable"];
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
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ChainUnavailable"];
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
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
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
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["NotReady"];
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
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContractInJson"];
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ShuttingDown"];
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
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContractInYaml"];
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["OriginNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["HostNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ShuttingDown"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
