/** /llms.txt says of the service what the contract says, word for word. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { llmsTxt, OWN_SENTENCES } from '../../scripts/contract/llms-txt.ts';
import { Quotes, sentencesOf, textsOf } from '../../scripts/contract/quotes.ts';
import { contract, REPOSITORY } from './support/contract.ts';

const committed = readFileSync(join(REPOSITORY, 'generated', 'llms.txt'), 'utf8');
const [vector] = JSON.parse(readFileSync(join(REPOSITORY, 'spec', 'vectors', 'signing-vectors.json'), 'utf8'));

/** What stands between the title and the lists of links. */
const proseOf = (page: string): string[] => {
  const [head = ''] = page.split(/^## /m);
  return sentencesOf(head.replace(/^# .*$/m, '').replace(/^> .*$/m, ''));
};
/** Sentences that neither the contract nor the page's own list has. */
function strangers(page: string, document: object = contract): string[] {
  const { sentences } = new Quotes(textsOf(document));
  const own = new Set(OWN_SENTENCES.map(({ sentence }) => sentence.replace('HASH', vector.txHash)));
  return proseOf(page).filter((sentence) => !sentences.has(sentence) && !own.has(sentence));
}

describe('/llms.txt', () => {
  test('has no sentence about the service that the contract does not have', () => {
    expect(proseOf(committed).length).toBeGreaterThan(OWN_SENTENCES.length + 10);
    expect(strangers(committed)).toEqual([]);
    const older = 'A transfer is its sender, nonce, receiver and amount, and is paid at most once.';
    expect(strangers(committed.replace('## Contract', `${older}\n\n## Contract`))).toEqual([older]);
  });

  test('says which values make a payment, as the contract does', () => {
    expect(committed).toContain('A transfer is its sender, nonce, receiver, amount, reference and validity;');
  });

  test('follows the contract: a sentence that was changed there is changed here', () => {
    const text = JSON.stringify(contract).replaceAll('amount, reference and validity; an', 'amount and colour; an');
    const page = llmsTxt(JSON.parse(text), vector);
    expect(page).toContain('A transfer is its sender, nonce, receiver, amount and colour; an absent member');
    expect(strangers(page, JSON.parse(text))).toEqual([]);
  });

  test('is not made when the contract no longer has a sentence that it quotes', () => {
    const text = JSON.stringify(contract).replaceAll(
      'A transfer is its sender, nonce',
      'A payment is its sender, nonce',
    );
    expect(() => llmsTxt(JSON.parse(text), vector)).toThrow(
      'The contract has 0 sentences that begin with "A transfer is its sender"',
    );
  });

  test.each([
    ['nextNonce', 'To pay, ask getChain'],
    ['"scheme":"bearer"', 'Send `Authorization: Bearer TOKEN`'],
    ['/openapi.json', 'Read the contract before'],
  ])('is not made when the contract does not bear out its own words: without %s', (fact, sentence) => {
    const text = JSON.stringify(contract).replaceAll(fact, fact.replace(/\w+(?=\W*$)/, 'other'));
    expect(() => llmsTxt(JSON.parse(text), vector)).toThrow(`does not bear out what /llms.txt says: ${sentence}`);
  });
});
