/**
 * Members of bodies and parameters of queries are named in camelCase. In components of the RPC they have the names
 * that CometBFT gave them, whatever their case.
 */
import { isRpcComponent } from './rpc.ts';
import type { Rule } from './types.ts';

const CAMEL_CASE = /^[a-z]+([A-Z][a-z0-9]*)*$/;

export const propertyNames: Rule = () => ({
  SchemaProperties(properties, { report, location }) {
    if (isRpcComponent(location.absolutePointer)) {
      return;
    }
    for (const name of Object.keys(properties).filter((name) => !CAMEL_CASE.test(name))) {
      report({ message: `Property "${name}" is not in camelCase.`, location: location.child(name).key() });
    }
  },
  Parameter(parameter, { report, location }) {
    const name = String(parameter['name']);
    if (parameter['in'] !== 'header' && !isRpcComponent(location.absolutePointer) && !CAMEL_CASE.test(name)) {
      report({ message: `Parameter "${name}" is not in camelCase.`, location });
    }
  },
});
