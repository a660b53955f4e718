/**
 * /workflows: the promises to partners as workflows of Arazzo 1.0.1, which tools run against this service. Like the pages they are
 * documents about the contract, not operations of it.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface WorkflowFile {
  readonly name: string;
  readonly yaml: Buffer;
  readonly title: string;
  readonly summary: string;
  readonly workflowIds: readonly string[];
}

const FOLDER = new URL('../../../spec/workflows/', import.meta.url);
const ENDING = '.arazzo.yaml';
/** Reference to the contract in a workflow: in the repository, and from /workflows/{name}. */
const CONTRACT_IN_REPOSITORY = 'url: ../../generated/openapi.yaml';
const CONTRACT_PUBLISHED = 'url: ../openapi.yaml';

export function loadWorkflows(folder: URL = FOLDER): readonly WorkflowFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  return names.sort().map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    if (text.split(CONTRACT_IN_REPOSITORY).length !== 2)
      throw new Error(`spec/workflows/${name} must name the contract once, as ${CONTRACT_IN_REPOSITORY}`);
    return {
      name,
      yaml: Buffer.from(text.replace(CONTRACT_IN_REPOSITORY, CONTRACT_PUBLISHED)),
      title: member(text, 'title', name),
      summary: member(text, 'summary', name),
      workflowIds: [...text.matchAll(/^ {2}- workflowId: (\w+)$/gm)].map(([, id = '']) => id),
    };
  });
}

/** `href` is relative to the URL of the index, so that it is right behind a path prefix too. */
export function workflowIndex(files: readonly WorkflowFile[]): Buffer {
  const workflows = files.map(({ name, title, summary, workflowIds }) => ({
    href: `workflows/${name}`,
    title,
    summary,
    workflowIds,
  }));
  return Buffer.from(`${JSON.stringify({ workflows }, null, 2)}\n`);
}

/** Reads a member of `info`, which is the first part with this indentation. */
function member(text: string, name: string, file: string): string {
  const value = new RegExp(`^  ${name}: (.+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`spec/workflows/${file} has no ${name}`);
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value;
}
