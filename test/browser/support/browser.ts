/**
 * Debian's Chromium for the checks of pages. Every tab is watched: a request that leaves the origin, an error on the console, a breach of the
 * content security policy or a script that throws fails the check that opened the tab, whatever else it found.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser as Chromium, type Page } from 'playwright-core';

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** Far above what anything here takes: the machine is shared with other suites. */
const WAIT_MS_MAX = 60_000;

export const WIDTHS = [1280, 390] as const;
export const SCHEMES = ['light', 'dark'] as const;
export type Width = (typeof WIDTHS)[number];
export type Scheme = (typeof SCHEMES)[number];
const HEIGHTS: Record<Width, number> = { 1280: 800, 390: 844 };
/** As much as anyone looks at: a guide has 38,000 px on a phone, and drawing them takes seconds. */
const SCREENSHOT_PX_MAX = 4000;
/** WCAG 2.2 AA, with what the versions before it asked. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface TabOptions {
  /** Where everything has to come from, without a path. */
  readonly origin: string;
  readonly width?: Width;
  readonly scheme?: Scheme;
  readonly reducedMotion?: boolean;
  /** Console errors that this check causes on purpose, by their text and the address behind it. */
  readonly expected?: readonly RegExp[];
}

/** A tab of a profile of its own. */
export interface Tab {
  readonly page: Page;
  readonly width: Width;
  readonly scheme: Scheme;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

export class Browser {
  readonly #chromium: Chromium;
  /** Where screenshots go: BROWSER_OUTPUT, or a folder made for this run. */
  readonly output: string;

  private constructor(browser: Chromium, output: string) {
    this.#chromium = browser;
    this.output = output;
  }

  static async launch(): Promise<Browser> {
    const executablePath = EXECUTABLES.find((path) => existsSync(path));
    if (executablePath === undefined)
      throw new Error('there is no Chromium: install it first (apt-get install chromium)');
    const output = process.env['BROWSER_OUTPUT'] ?? mkdtempSync(join(tmpdir(), 'txledger-browser-'));
    mkdirSync(output, { recursive: true });
    return new Browser(await chromium.launch({ executablePath, args: FLAGS }), output);
  }

  get version(): string {
    return this.#chromium.version();
  }

  /** Opens a tab for `use`, and fails afterwards for everything that was wrong in it meanwhile. */
  async tab(options: TabOptions, use: (tab: Tab) => Promise<void>): Promise<void> {
    const { origin, width = 1280, scheme = 'light', reducedMotion = true, expected = [] } = options;
    const context = await this.#chromium.newContext({
      viewport: { width, height: HEIGHTS[width] },
      colorScheme: scheme,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
      acceptDownloads: true,
    });
    const faults: string[] = [];
    try {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
      context.setDefaultTimeout(WAIT_MS_MAX);
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !url.startsWith('data:') && !url.startsWith('blob:'))
          faults.push(`a request left the origin: ${url}`);
      });
      context.on('console', (message) => {
        const text = `${message.text()} (${message.location().url})`;
        if (message.type() === 'error' && !expected.some((pattern) => pattern.test(text)))
          faults.push(`the console says: ${text}`);
      });
      context.on('weberror', (error) => faults.push(`a script threw: ${error.error().stack ?? error.error().message}`));
      // A breach that the console would not tell: the event of the standard is the one that counts.
      await context.addInitScript(
        `addEventListener('securitypolicyviolation', (event) => console.error('CSP: ' + event.violatedDirective + ' ' + event.blockedURI));`,
      );
      const page = await context.newPage();
      await use({ page, width, scheme });
    } catch (error) {
      throw faults.length === 0
        ? error
        : new AggregateError([error], `${(error as Error).message}\n${faults.join('\n')}`);
    } finally {
      await context.close();
    }
    if (faults.length > 0)
      throw new Error(`${faults.length} faults in a tab of ${width} px, ${scheme}:\n${faults.join('\n')}`);
  }

  /** Each width in each colour scheme, one after the other. */
  async eachLook(options: Omit<TabOptions, 'width' | 'scheme'>, use: (tab: Tab) => Promise<void>): Promise<void> {
    for (const width of WIDTHS) for (const scheme of SCHEMES) await this.tab({ ...options, width, scheme }, use);
  }

  /** A wide light one and a narrow dark one: for pages whose parts are in every look elsewhere. */
  async twoLooks(options: Omit<TabOptions, 'width' | 'scheme'>, use: (tab: Tab) => Promise<void>): Promise<void> {
    for (const [width, scheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const)
      await this.tab({ ...options, width, scheme }, use);
  }

  /** Screenshot of the page below the window too, `NAME-WIDTH-SCHEME.png`. */
  async screenshot({ page, width, scheme }: Tab, name: string): Promise<void> {
    const height = Math.min(SCREENSHOT_PX_MAX, await page.evaluate<number>('document.documentElement.scrollHeight'));
    await page.screenshot({
      path: join(this.output, `${name}-${width}-${scheme}.png`),
      fullPage: true,
      clip: { x: 0, y: 0, width, height },
    });
  }

  async close(): Promise<void> {
    await this.#chromium.close();
  }
}

/** Throws with every violation of WCAG 2.2 AA that axe finds on the page as it is now. */
export async function assertAccessible({ page, width, scheme }: Tab, what: string): Promise<void> {
  // Through the debugger, which the page's content security policy does not bind.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE_SOURCE);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(AXE_TAGS)} } }).then(({ violations }) => violations)`,
  );
  if (violations.length === 0) return;
  const lines = violations.flatMap(({ id, help, nodes }) => [
    `  ${id}: ${help}`,
    ...nodes.map(
      ({ target, failureSummary }) => `    ${target.join(' ')}: ${failureSummary?.replaceAll('\n', ' ') ?? ''}`,
    ),
  ]);
  throw new Error(`axe on ${what} at ${width} px, ${scheme}:\n${lines.join('\n')}`);
}

/** Throws when the page can be moved sideways, naming what is too wide. */
export async function assertNoSidewaysScroll({ page, width }: Tab, what: string): Promise<void> {
  const wide = await page.evaluate<readonly string[]>(`(() => {
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return [];
    return [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > limit + 1).slice(0, 8).map((element) => element.tagName.toLowerCase() + '.' + element.getAttribute('class') + ' to ' + Math.round(element.getBoundingClientRect().right));
  })()`);
  if (wide.length > 0) throw new Error(`${what} scrolls sideways at ${width} px: ${wide.join('; ')}`);
}
