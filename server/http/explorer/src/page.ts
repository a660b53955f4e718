/** A page of the explorer: a function that fills the main part, and may keep working until the reader leaves. */
import type { Route } from './route.ts';

export interface PageContext {
  readonly route: Route;
  /** The main part of the window, empty. */
  readonly main: HTMLElement;
  /** Aborts when the reader leaves the page: give it to requests, listeners and `watchChain`. */
  readonly signal: AbortSignal;
  /** The title of the window. The page's own heading is an h1 in `main`. */
  readonly title: (text: string) => void;
  /** Announces a text once in a screen reader, politely: that something was copied, that a transfer was committed. */
  readonly say: (text: string) => void;
}

/** An error that it throws is shown in its place. */
export type Page = (context: PageContext) => void | Promise<void>;
