/**
 * The tree is the table of contents: each tag has one file with its paths (`/chain` of the tag Chain in `chain.yaml`, the methods of the
 * tag RPC Blocks in `rpc-blocks.yaml`), and a component is in the section of its kind, in PascalCase, because its name there
 * becomes its name in bundle and types. Headers and parameters are in `common.yaml`, those of the RPC in `rpc.yaml`.
 */
import { basename } from 'node:path';
import { isNode, isReference, items, members } from './types.ts';
import type { Rule } from './types.ts';

const SECTIONS: Record<string, string> = {
  Schema: 'schemas',
  Parameter: 'parameters',
  Header: 'headers',
  Response: 'responses',
  Example: 'examples',
  RequestBody: 'requestBodies',
};

const SHARED_FILES = ['common.yaml', 'rpc.yaml'];

export const places: Rule = () => ({
  ref(reference, { report, resolve, location, type, key }) {
    const { node, location: place } = resolve(reference);
    if (!place || !isReference(reference)) {
      return;
    }
    const [file = '', pointer = ''] = place.absolutePointer.split('#');
    if (type.name === 'PathItem') {
      const tags = new Set(
        members(node).flatMap(([, operation]) => (isNode(operation) ? items(operation['tags']) : [])),
      );
      const [expected] = [...tags].map((tag) => fileOf(String(tag)));
      if (tags.size !== 1 || basename(file) !== expected) {
        report({ message: `The path ${key} stands in the file of its tag, ${expected}.`, location });
      }
      return;
    }
    const section = SECTIONS[type.name];
    if (section && !new RegExp(`^/${section}/([A-Z][a-z0-9]*)+$`).test(pointer)) {
      report({ message: `A ${type.name} stands under ${section}, with a name in PascalCase.`, location });
    }
    if ((section === 'headers' || section === 'parameters') && !SHARED_FILES.includes(basename(file))) {
      report({ message: `A ${type.name} stands in ${SHARED_FILES.join(' or ')}.`, location });
    }
  },
});

/** The file of a tag: `RPC Blocks` in `rpc-blocks.yaml`. */
export function fileOf(tag: string): string {
  return `${tag.toLowerCase().replaceAll(' ', '-')}.yaml`;
}
