<?php
// A signer written from the published format alone: string formatting gives the exact bytes, sodium the signature.
declare(strict_types=1);

/** What a partner wants to pay. */
final class Transfer
{
    public function __construct(
        public readonly string $chainId,
        public readonly string $from,
        public readonly string $to,
        public readonly string $amount,
        public readonly int $nonce,
    ) {
    }

    /** @return array{string, string} the signature, and the hash by which the transfer will be known */
    public function sign(string $seedHex): array
    {
        $key = sodium_crypto_sign_secretkey(sodium_crypto_sign_seed_keypair(hex2bin($seedHex)));
        $signature = bin2hex(sodium_crypto_sign_detached("txledger-transfer-v1\n" . $this->fields(''), $key));
        return [$signature, strtoupper(hash('sha256', $this->fields("\"signature\":\"$signature\",")))];
    }

    private function fields(string $signature): string
    {
        return sprintf(
            '{"amount":"%s","chainId":"%s","from":"%s","nonce":%d,%s"to":"%s"}',
            $this->amount,
            $this->chainId,
            $this->from,
            $this->nonce,
            $signature,
            $this->to,
        );
    }
}
