/**
 * The tree is the table of contents: a path stands in the file that is named after it
 * (`/transactions/{txHash}` in `paths/transactions_{txHash}.yaml`), a message to a webhook in `webhooks`, a component in the folder of
 * its kind, in PascalCase, because the file name becomes the name of the component in bundle and types.
 */
import { sep } from 'node:path';
import { isReference } from './types.ts';
import type { Rule } from './types.ts';

const FOLDERS: Record<string, string> = {
  Schema: 'schemas',
  Parameter: 'parameters',
  Header: 'headers',
  Response: 'responses',
  Example: 'examples',
  RequestBody: 'requestBodies',
};

export const fileNames: Rule = () => ({
  ref(reference, { report, resolve, location, type, key }) {
    const file = resolve(reference).location?.source.absoluteRef.split(sep).join('/');
    if (!file || !isReference(reference)) {
      return;
    }
    if (type.name === 'PathItem') {
      const isPath = String(key).startsWith('/');
      const expected = isPath ? `/paths/${String(key).slice(1).replaceAll('/', '_')}.yaml` : `/webhooks/${key}.yaml`;
      if (!file.endsWith(expected)) {
        report({ message: `The ${isPath ? 'path' : 'webhook'} ${key} stands in ${expected.slice(1)}.`, location });
      }
      return;
    }
    const folder = FOLDERS[type.name];
    if (folder && !new RegExp(`/components/${folder}/([a-z]+/)?([A-Z][a-z0-9]*)+\\.yaml$`).test(file)) {
      report({ message: `A ${type.name} stands in components/${folder}, in a file named in PascalCase.`, location });
    }
  },
});
