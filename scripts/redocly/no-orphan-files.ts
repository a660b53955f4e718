/**
 * A file that nothing refers to is a component that is never used. Redocly's own rule for that looks at
 * components listed in the root document only; ours are files, found by following `$ref`.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Rule } from './types.ts';

const FOLDERS = ['paths', 'webhooks', 'components'];

export const noOrphanFiles: Rule = () => {
  const used = new Set<string>();
  return {
    ref(reference, { resolve }) {
      const file = resolve(reference).location?.source.absoluteRef;
      if (file) {
        used.add(file);
      }
    },
    Root: {
      leave(_root, { report, location }) {
        const root = dirname(location.source.absoluteRef);
        for (const folder of FOLDERS) {
          for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
            const file = join(entry.parentPath, entry.name);
            if (entry.isFile() && !used.has(file)) {
              report({ message: `Nothing refers to ${file.slice(root.length + 1)}.`, location });
            }
          }
        }
      },
    },
  };
};
