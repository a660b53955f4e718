export interface HelpPage {
  usage: string;
  description: string;
  groups: { title: string; items: [term: string, description: string][] }[];
  after: string;
}
export function asksForHelpPage(words: readonly string[]): boolean;
export function helpPage(page: HelpPage, columns?: number): string;
export function printHelpPage(): boolean;
