/**
 * A part of the contract that nothing refers to is never used. Redocly's own rule for that looks at components listed in
 * the root document only; ours are in the files beside it, found by following `$ref`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { isNode, members } from './types.ts';
import type { Rule } from './types.ts';

/** Parts to which only anchors of their file refer: there is no `$ref` to them. */
const BY_ANCHOR = 'shared';

export const noOrphans: Rule = () => {
  const used = new Set<string>();
  return {
    ref(reference, { resolve }) {
      const place = resolve(reference).location?.absolutePointer;
      if (place) {
        used.add(place);
      }
    },
    Root: {
      leave(_root, { report, location }) {
        const root = location.source.absoluteRef;
        const files = readdirSync(dirname(root)).filter((file) => file.endsWith('.yaml') && file !== basename(root));
        for (const file of files) {
          for (const pointer of partsOf(join(dirname(root), file))) {
            if (!used.has(`${join(dirname(root), file)}#${pointer}`)) {
              report({ message: `Nothing refers to ${file}#${pointer}.`, location });
            }
          }
        }
      },
    },
  };
};

/** The pointers of the parts that a file defines: the description of its tag, and the members of its sections. */
function partsOf(file: string): string[] {
  const content: unknown = parse(readFileSync(file, 'utf8'), { merge: true });
  return members(content)
    .filter(([section]) => section !== BY_ANCHOR)
    .flatMap(([section, parts]) =>
      !isNode(parts)
        ? [`/${section}`]
        : Object.keys(parts).map((name) => `/${section}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
}
