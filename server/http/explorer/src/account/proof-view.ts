/** The proof of a balance, as steps that a reader can follow, each with its tick. */
import { type Child, h } from '../dom.ts';
import { check, checkList } from '../parts/checks.ts';
import { notice } from '../parts/notice.ts';
import { amountText, blockLink, shortText } from '../parts/value.ts';
import type { Proving } from './prove.ts';

const step = (...children: Child[]): HTMLLIElement => check('good', children);
const hash = (text: string): HTMLElement => h('code', { title: text }, shortText(text));

export function proofView(proving: Proving): HTMLElement {
  if (!proving.ok) return notice('bad', h('p', {}, 'The balance could not be proven. ', proving.message));
  const { state, height, steps, header, power } = proving;
  const [account, store] = steps;
  const signed = step(
    `Validators with ${power.signed} of ${power.total} voting power signed that header. `,
    h(
      'span',
      { class: 'soft' },
      `${power.validators === 1 ? 'One signature' : `${power.validators} signatures`} checked with Ed25519.`,
    ),
  );
  const carried = step(
    'The header of block ',
    blockLink(header.height),
    ' carries this app hash, and hashes to ',
    hash(header.hash),
    '.',
  );
  if (state === undefined || account === undefined || store === undefined) {
    return h(
      'div',
      { class: 'stack' },
      h(
        'p',
        {},
        'Asked ',
        ...after(height),
        ': the ledger has no account at this address. The state has no proof of absence, so this is what the service says.',
      ),
      checkList(carried, signed),
    );
  }
  return h(
    'div',
    { class: 'stack' },
    h(
      'p',
      {},
      'Proven: ',
      ...after(height),
      ' this account held ',
      h('strong', {}, amountText(state.balance)),
      ` and its nonce was ${state.nonce}.`,
    ),
    checkList(
      account.total === 1
        ? step('It is the only account, so its leaf ', hash(account.leaf), ' is the root of the accounts.')
        : step(
            'The account is leaf ',
            h('span', { class: 'number' }, account.index),
            ` of ${account.total} accounts. Its leaf `,
            hash(account.leaf),
            ` leads through ${hashes(account.aunts.length)} to the root of the accounts `,
            hash(account.root),
            '.',
          ),
      step(`That root leads through ${hashes(store.aunts.length)} more to the app hash `, hash(store.root), '.'),
      carried,
      signed,
    ),
    h(
      'details',
      {},
      h('summary', {}, 'What was hashed'),
      h(
        'dl',
        { class: 'facts small' },
        proven('Key', account.key),
        proven('Value', JSON.stringify(state)),
        account.aunts.map((aunt, i) => proven(`Hash ${i + 1}`, aunt)),
        store.aunts.map((aunt) => proven('Other stores', aunt)),
        proven('App hash', header.appHash),
      ),
    ),
    h(
      'p',
      { class: 'soft small' },
      'This shows that the validators that this service names have signed the balance. Whether they are the right ones, only a genesis file from elsewhere can show.',
    ),
  );
}

/** Block 0 does not exist: its state is that of genesis. */
const after = (height: number): Child[] =>
  height === 0 ? ['before the first block'] : ['after block ', blockLink(height)];
const hashes = (count: number): string => (count === 1 ? 'one hash' : `${count} hashes`);
const proven = (name: string, value: string): HTMLElement[] => [h('dt', {}, name), h('dd', {}, h('code', {}, value))];
