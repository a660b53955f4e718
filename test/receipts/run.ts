/**
 * Proves the receipts of 1,000 random transfers with the client and with docs/examples/verify_receipt.py, and has both refuse 10,000 of which
 * something was changed. `npm test` does the same with fewer.
 *
 *   node test/receipts/run.ts [SEED]
 */
import { type Receipt, verifyReceipt } from '../../client/src/index.ts';
import { randomNumbers } from '../engine/support/random-transactions.ts';
import { randomChain, receiptsOf } from './chain.ts';
import { verifyWithPython } from './python.ts';
import { flipByte, type Tampered, tamperings } from './tamper.ts';

const RECEIPTS = 1_000;
const TAMPERED = 10_000;

/** Half of them a member changed, half of them a byte. */
function tamperedOf(receipts: readonly Receipt[], random: (below: number) => number): Tampered[] {
  const tampered: Tampered[] = [];
  while (tampered.length < TAMPERED) {
    const receipt = receipts[random(receipts.length)] as Receipt;
    const changes = tamperings(receipt, random);
    for (let i = 0; i < 10; i++)
      tampered.push(changes[random(changes.length)] as Tampered, flipByte(JSON.stringify(receipt), random));
  }
  return tampered;
}

async function main([seed = '1']: string[]): Promise<void> {
  const random = randomNumbers(Number(seed));
  const chain = randomChain(Number(seed), RECEIPTS);
  const genesis = chain.genesis.bytes;
  const receipts = (await receiptsOf(chain)).slice(0, RECEIPTS);
  for (const receipt of receipts) await verifyReceipt(receipt, { genesis });
  const proven = verifyWithPython(
    genesis,
    receipts.map((receipt) => JSON.stringify(receipt)),
  );
  const provenLines = proven.lines.filter((line) => line.startsWith('proven '));
  console.log(
    `${receipts.length} receipts: the client proves ${receipts.length}, Python ${provenLines.length} (it ended with ${proven.status})`,
  );
  if (receipts.length !== RECEIPTS || provenLines.length !== RECEIPTS || proven.status !== 0)
    throw new Error('not every receipt was proven');

  const tampered = tamperedOf(receipts, random);
  const accepted: string[] = [];
  for (const { what, text } of tampered)
    await verifyReceipt(JSON.parse(text) as Receipt, { genesis }).then(
      () => accepted.push(`the client: ${what}`),
      () => undefined,
    );
  const refused = verifyWithPython(
    genesis,
    tampered.map(({ text }) => text),
  );
  for (const [i, { what }] of tampered.entries())
    if (!refused.lines[i]?.startsWith('refused: ')) accepted.push(`Python: ${what}`);
  console.log(
    `${tampered.length} tampered receipts: accepted ${accepted.length} (Python ended with ${refused.status})`,
  );
  if (accepted.length > 0 || refused.status !== 1)
    throw new Error(`tampered receipts were accepted:\n${accepted.join('\n')}`);
}

await main(process.argv.slice(2));
