/** The pages, by the first step of the fragment. */
import type { Page } from '../page.ts';
import { account } from './account.ts';
import { block } from './block.ts';
import { dev } from './dev.ts';
import { overview } from './overview.ts';
import { search } from './search.ts';
import { transaction } from './transaction.ts';

export const PAGES: Readonly<Record<string, Page>> = { overview, block, tx: transaction, account, search, dev };
