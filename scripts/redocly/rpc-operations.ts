/**
 * A method of the RPC has a path of its own with GET and POST, and one name: CometBFT's, in the path and in
 * `x-rpc-method`, and the same in the operationIds. The server finds the method of an operation by `x-rpc-method`.
 */
import { isNode } from './types.ts';
import type { Rule } from './types.ts';

export const rpcOperations: Rule = () => ({
  PathItem(item, { report, location, key }) {
    const method = /^\/rpc\/([^/]+)$/.exec(String(key))?.[1];
    for (const verb of ['get', 'put', 'post', 'delete', 'patch']) {
      const operation = item[verb];
      const declared = isNode(operation) ? operation['x-rpc-method'] : undefined;
      const place = location.child(verb);
      if (method === undefined) {
        if (declared !== undefined) {
          report({ message: `Only operations under /rpc/ have x-rpc-method.`, location: place });
        }
        continue;
      }
      if ((verb === 'get' || verb === 'post') !== isNode(operation)) {
        report({ message: `A method of the RPC has GET and POST, and nothing else (${verb}).`, location });
        continue;
      }
      if (!isNode(operation)) {
        continue;
      }
      const operationId = `${verb}Rpc${pascalCase(method)}`;
      if (declared !== method || operation['operationId'] !== operationId) {
        report({ message: `This is x-rpc-method ${method}, operationId ${operationId}.`, location: place });
      }
    }
  },
});

function pascalCase(method: string): string {
  return method.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
