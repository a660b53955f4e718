<?php
// What a partner in PHP does with the client that openapi-generator makes: read, pay, find the payment, take one back, be told what was wrong.
declare(strict_types=1);

use GuzzleHttp\Client;
use Ledger\Api\AccountsApi;
use Ledger\Api\ChainApi;
use Ledger\Api\TransactionsApi;
use Ledger\ApiException;
use Ledger\Configuration;
use Ledger\Model\Problem;
use Ledger\Model\Transaction;
use Ledger\Model\TransactionInput;

require __DIR__ . '/load.php';
require __DIR__ . '/signer.php';

// A notice in the generated client ends the job.
set_error_handler(function (int $severity, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $severity, $file, $line);
});

const AMOUNT = '250';
/** How far ahead of the account's nonce the transfer is that gets cancelled: it can only wait. */
const NONCES_AHEAD = 500;

function step(string $name, callable $work): mixed
{
    $started = microtime(true);
    $result = $work();
    printf("  %s (%.3f s)\n", $name, microtime(true) - $started);
    return $result;
}

function expect(string $what, mixed $actual, mixed $expected): void
{
    if ($actual !== $expected) {
        throw new RuntimeException("$what: expected " . var_export($expected, true) . ', got ' . var_export($actual, true));
    }
}

function lastEvent(Transaction $found): string
{
    $history = $found->getHistory();
    return end($history)->getEvent();
}

$dev = json_decode(file_get_contents($argv[1]), false, 16, JSON_THROW_ON_ERROR);
[$sender, $receiver] = $dev->accounts;

/** What every status, code and event is, where answers are those of a later version. */
function word(string $now): string
{
    global $dev;
    return $dev->later ?? $now;
}

$configuration = (new Configuration())->setHost($dev->baseUrl)->setAccessToken($dev->token);
$anyone = (new Configuration())->setHost($dev->baseUrl);
$accounts = new AccountsApi(new Client(), $configuration);
$transactions = new TransactionsApi(new Client(), $configuration);

$submit = function (Transfer $transfer, ?string $prefer) use ($transactions, $sender): array {
    [$signature] = $transfer->sign($sender->seed);
    $body = new TransactionInput([
        'from' => $transfer->from,
        'to' => $transfer->to,
        'amount' => $transfer->amount,
        'nonce' => $transfer->nonce,
        'signature' => $signature,
    ]);
    return $transactions->submitTransactionWithHttpInfo($body, null, $prefer);
};

[$chainId, $nonce] = step('read chain, without a token, and account', function () use ($anyone, $accounts, $dev, $sender): array {
    $chainId = (new ChainApi(new Client(), $anyone))->getChain()->getChainId();
    expect('chain', $chainId, $dev->chainId);
    return [$chainId, $accounts->getAccount($sender->address)->getNextNonce()];
});
$transferAt = fn (int $at, string $amount = AMOUNT): Transfer => new Transfer($chainId, $sender->address, $receiver->address, $amount, $at);

$first = step('pay twice, and wait until each is committed', function () use ($nonce, $sender, $submit, $transferAt): string {
    $hashes = [];
    foreach ([$nonce, $nonce + 1] as $at) {
        [$paid, $status] = $submit($transferAt($at), 'wait=30');
        expect('answer', [$status, $paid->getStatus()], [201, word('committed')]);
        expect('hash', $paid->getTxHash(), $transferAt($at)->sign($sender->seed)[1]);
        $hashes[] = $paid->getTxHash();
    }
    return $hashes[0];
});

step('read the transaction with its history', function () use ($transactions, $first): void {
    $found = $transactions->getTransaction($first);
    expect('transaction', [$found->getTxHash(), $found->getStatus(), lastEvent($found)], [$first, word('committed'), word('committed')]);
    expect('has a height', $found->getHeight() > 0, true);
    expect('has a time', $found->getBlockTime() instanceof DateTime, true);
});

step('list by cursor until the first is seen', function () use ($transactions, $sender, $first): void {
    $cursor = null;
    for ($pages = 1; ; $pages++) {
        $page = $transactions->listTransactions(null, 1, $cursor, null, $sender->address);
        $hashes = array_map(fn (Transaction $listed): string => $listed->getTxHash(), $page->getTransactions());
        if (in_array($first, $hashes, true)) {
            expect('more than one page', $pages > 1, true);
            return;
        }
        $cursor = $page->getNextCursor();
        expect('there is another page', $cursor !== null, true);
    }
});

step('submit ' . NONCES_AHEAD . ' nonces ahead, and cancel it', function () use ($transactions, $submit, $transferAt, $nonce): void {
    [$pending, $status] = $submit($transferAt($nonce + 2 + NONCES_AHEAD), null);
    expect('answer', [$status, $pending->getStatus(), $pending->getHeight()], [202, word('pending'), null]);
    [$cancelled, $status] = $transactions->cancelTransactionWithHttpInfo($pending->getTxHash(), null, 'wait=30');
    expect('answer', [$status, $cancelled->getStatus()], [200, word('cancelled')]);
    expect('last event', lastEvent($transactions->getTransaction($pending->getTxHash())), word('cancelled'));
});

step('another payment at a nonce in use is a typed problem that names the first', function () use ($submit, $transferAt, $nonce, $first): void {
    try {
        $submit($transferAt($nonce, '251'), null);
    } catch (ApiException $refused) {
        $problem = $refused->getResponseObject();
        expect('is a Problem', $problem instanceof Problem, true);
        expect('status', $refused->getCode(), 409);
        expect('problem', [$problem->getCode(), $problem->getRetriable(), $problem->getTxHash()], [word('nonce_conflict'), false, $first]);
        return;
    }
    throw new RuntimeException('the payment was taken');
});
