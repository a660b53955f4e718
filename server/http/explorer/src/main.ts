/** The explorer: a constant frame, with one page at a time in it, selected by the fragment of the address. */
import { h, put } from './dom.ts';
import { knowChain, nextAnswer, startLive } from './live.ts';
import type { PageContext } from './page.ts';
import { PAGES } from './pages/index.ts';
import { notice, problemNotice } from './parts/notice.ts';
import { keepTimes } from './parts/time.ts';
import { asProblem } from './problem.ts';
import { readRoute } from './route.ts';
import { onToken, openSession } from './session.ts';
import { frame, markPlace } from './shell.ts';

const NAME = 'Transaction Ledger';

const main = h('main', { id: 'main', tabindex: '-1' });
const status = h('p', { class: 'unseen', role: 'status' });

let leave: AbortController | undefined;
let shownBefore = false;

/** Shows the whole page again: for a new place, for another token, and when an unreachable service answers again (`isAgain`). */
async function show(isAgain = false): Promise<void> {
  leave?.abort();
  leave = new AbortController();
  const { signal } = leave;
  const route = readRoute(location.hash);
  // Each page fills an element of its own, so that a slow page cannot write into the next one.
  const own = h('div', { class: 'page' });
  put(main, own);
  markPlace(route);
  const context: PageContext = {
    route,
    main: own,
    signal,
    title: (text) => {
      if (!signal.aborted) document.title = `${text} · ${NAME}`;
    },
    say: (text) => {
      if (!signal.aborted) put(status, text);
    },
  };
  context.title('Explorer');
  const page = PAGES[route.name];
  try {
    if (page === undefined) {
      context.title('Not a page');
      own.append(
        h('h1', {}, 'Not a page'),
        notice('warn', `There is no page “${route.name}”. Search, or begin at the overview.`),
      );
    } else {
      // The overview itself waits for the chain, and continues when an unreachable service is back.
      if (route.name !== 'overview') await knowChain();
      if (!signal.aborted) await page(context);
    }
  } catch (error) {
    const problem = asProblem(error);
    if (!signal.aborted) own.append(problemNotice(problem));
    if (problem.isPassing) void nextAnswer(signal).then(() => show(true));
  }
  if (signal.aborted) return;
  own.dataset['shown'] = route.name;
  // A new page begins at its top, for eyes and for screen readers; the first one keeps the browser's scroll position.
  if (shownBefore && !isAgain) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
  shownBefore = true;
}

await openSession();
document.body.append(...frame(main), status);
onToken(() => void show());
addEventListener('hashchange', () => void show());
startLive();
keepTimes();
await show();
