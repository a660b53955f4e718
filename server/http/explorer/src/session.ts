/**
 * Rights of this tab: the token, in sessionStorage, so that it ends with the tab; and on a development server the accounts.
 */
import { type DevelopmentAccount, ownAccounts } from './dev/own-accounts.ts';

export type { DevelopmentAccount };

const KEY = 'txledger-token';
/** Marks a token that a development server sent: it is replaced after the chain was made again. */
const GIVEN = 'txledger-token-of-development';

const mode = document.documentElement.dataset['mode'];
/** True if other machines may reach this development server. */
export const isPublicDevelopment = mode === 'public-development';
export const isDevelopment = mode === 'development' || isPublicDevelopment;

let accounts: readonly DevelopmentAccount[] = [];
const listeners = new Set<() => void>();
let isRefused = false;

export const token = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** True if the last token was removed because the service no longer accepts it. */
export const wasTokenRefused = (): boolean => isRefused;

/** Removes a token that the service reports as unknown, expired or revoked: with it the reader would be refused even public data. */
export function refuseToken(value: string): void {
  if (token() !== value) return;
  isRefused = true;
  forget();
}

/** Undefined removes the token. */
export function setToken(value: string | undefined): void {
  isRefused = false;
  if (value === undefined) return forget();
  sessionStorage.removeItem(GIVEN);
  sessionStorage.setItem(KEY, value);
  for (const listener of listeners) listener();
}

function forget(): void {
  sessionStorage.removeItem(GIVEN);
  sessionStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

/** Calls back after the token changed. */
export function onToken(listener: () => void): void {
  listeners.add(listener);
}

/** Empty on a production server. */
export const developmentAccounts = (): readonly DevelopmentAccount[] => accounts;

/** Adds an account whose key was made here. */
export function addAccount(account: DevelopmentAccount): void {
  accounts = [...accounts, account];
}

/** The name of a development account, `dev-3`. */
export const accountName = (address: string): string | undefined =>
  accounts.find((account) => account.address === address)?.name;

/** Requests token and accounts from a development server. Behind a proxy it refuses them: then the page works as in production. */
export async function openSession(): Promise<void> {
  if (!isDevelopment) return;
  const answer = await fetch('explorer/development.json', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const facts = (await answer.json()) as { token: string; accounts: readonly DevelopmentAccount[] };
  accounts = [...facts.accounts, ...ownAccounts()];
  // A token that the reader has entered stays: they may be using the rights of another owner.
  if (token() !== undefined && sessionStorage.getItem(GIVEN) === null) return;
  setToken(facts.token);
  sessionStorage.setItem(GIVEN, 'true');
}
