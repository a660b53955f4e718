/**
 * What this tab may do: the token, in sessionStorage, so that it ends with the tab; and on a development server the accounts.
 */
export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  readonly seed: string;
}

const KEY = 'txledger-token';

export const isDevelopment = document.documentElement.dataset['mode'] === 'development';

let accounts: readonly DevelopmentAccount[] = [];
const listeners = new Set<() => void>();

export const token = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** Undefined forgets it. */
export function setToken(value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
  for (const listener of listeners) listener();
}

/** Calls back after the token changed. */
export function onToken(listener: () => void): void {
  listeners.add(listener);
}

/** None on a production server. */
export const developmentAccounts = (): readonly DevelopmentAccount[] => accounts;

/** The name of a development account, `dev-3`. */
export const accountName = (address: string): string | undefined => accounts.find((account) => account.address === address)?.name;

/** Asks a development server for its token and accounts. Refused behind a proxy: then it is as in production. */
export async function openSession(): Promise<void> {
  if (!isDevelopment) return;
  const answer = await fetch('explorer/development.json', { cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok !== true) return;
  const facts = (await answer.json()) as { token: string; accounts: readonly DevelopmentAccount[] };
  accounts = facts.accounts;
  // One that the reader gave stays: they may be looking with the rights of another owner.
  if (token() === undefined) setToken(facts.token);
}
