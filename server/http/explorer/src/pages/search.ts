/** Opens the result of a search, or reports the text that was not found. */
import { rowOf } from '../account/transfers.ts';
import { type Chain, get } from '../api.ts';
import { h } from '../dom.ts';
import type { Page } from '../page.ts';
import { notice } from '../parts/notice.ts';
import { transferTable } from '../parts/transfer-rows.ts';
import { blockHref } from '../route.ts';
import { classify } from '../search/classify.ts';
import { find } from '../search/find.ts';
import { developmentAccounts } from '../session.ts';

export const search: Page = async ({ route, main, title, signal }) => {
  const typed = route.query.get('q') ?? '';
  title(typed.trim() === '' ? 'Search' : `Search: ${typed.trim()}`);
  const { addressPrefix, height } = await get<Chain>('chain', {}, signal);
  const meant = classify(typed, { addressPrefix, names: developmentAccounts().map(({ name }) => name) });
  const found = await find(meant, signal);
  if (signal.aborted) return;
  // Replaces this page, so that "back" leads to where the search began.
  if (found.kind === 'place') return location.replace(found.href);
  main.append(h('h1', {}, typed.trim() === '' ? 'Search' : `Search: ${typed.trim()}`));
  if (found.kind === 'transfers') {
    const count = found.transfers.length;
    // A number that is a reference may also be meant as a height.
    if (meant.kind === 'height' && meant.height <= height)
      main.append(h('p', {}, h('a', { href: blockHref(meant.height) }, `Block ${meant.height}`)));
    main.append(
      h(
        'section',
        { class: 'card', 'aria-labelledby': 'found' },
        h(
          'h2',
          { id: 'found' },
          `${found.isMore ? `The latest ${count} transfers` : count === 1 ? 'One transfer' : `${count} transfers`} with the reference “${found.reference}”`,
        ),
        transferTable('Transfers found', found.transfers.map(rowOf)),
      ),
    );
    return;
  }
  if (found.sentences.length > 0)
    main.append(
      notice(
        'warn',
        found.sentences.map((sentence) => h('p', {}, sentence)),
      ),
    );
  const names = developmentAccounts().length > 0 ? ', or a development account such as dev-3' : '';
  main.append(
    h(
      'p',
      { class: 'soft' },
      `Search for the hash of a transfer or a block, an address, a height, a reference${names}.`,
    ),
  );
};
