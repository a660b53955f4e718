/** One of two processes that send from the same account: prints the hashes of what it sent. Arguments: the development file, how many, the amount of each. */
import { readFileSync } from 'node:fs';
import { createClient, sendTransfer, signerFromSeed } from '../../../client/src/index.ts';

const [file = '', count = '', amount = ''] = process.argv.slice(2);
const { baseUrl, token, accounts } = JSON.parse(readFileSync(file, 'utf8'));
const client = createClient({ baseUrl, token });
const signer = await signerFromSeed(accounts[1].seed);
const sent = await Promise.all(
  Array.from({ length: Number(count) }, () =>
    sendTransfer(client, { signer, to: accounts[2].address, amount: BigInt(amount) }),
  ),
);
process.stdout.write(JSON.stringify(sent.map(({ transaction }) => transaction.txHash)));
