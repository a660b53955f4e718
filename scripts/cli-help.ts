/** Splits the output of `txledger --help` into its parts: server/cli/help-page.js joins them again at any width. */
import { createProgram } from '../server/cli/program.ts';
import type { HelpPage } from '../server/cli/help-page.js';

/** Wide enough that nothing is wrapped. */
const COLUMNS = 10_000;

/** The help as the program itself prints it. */
export async function programHelp(columns?: number): Promise<string> {
  const program = await createProgram(undefined);
  let text = '';
  program.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => columns as number });
  program.outputHelp();
  return text;
}

export async function cliHelp(): Promise<HelpPage> {
  const [usage = '', description = '', ...blocks] = (await programHelp(COLUMNS)).split('\n\n');
  const isGroup = (block: string): boolean =>
    /^(Options|[A-Z][a-z ,]+):\n {2}\S+/.test(block) &&
    !block.startsWith('Environment:') &&
    !block.startsWith('Exit codes:');
  const count = blocks.findIndex((block) => !isGroup(block));
  const groups = blocks.slice(0, count).map((block) => {
    const [title = '', ...lines] = block.split('\n');
    return {
      title,
      items: lines.map((line): [string, string] => [
        /^ {2}(\S+(?: \S+)*)/.exec(line)?.[1] ?? '',
        line.replace(/^ {2}\S+(?: \S+)* {2,}/, ''),
      ]),
    };
  });
  return { usage, description, groups, after: blocks.slice(count).join('\n\n') };
}
