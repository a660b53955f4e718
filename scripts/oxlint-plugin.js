/**
 * Lint rules that oxlint does not ship.
 *
 * `no-argless-date`: `new Date()` and `Date()` read the wall clock just as `Date.now()` does, but the stock
 * property rule sees only the latter. `new Date(ms)` is a pure conversion and stays allowed.
 *
 * @module
 */

const MESSAGE = 'Reading the wall clock here bypasses the Clock port (server/engine/ports.ts).';

const noArglessDate = {
  create(context) {
    const isDate = (callee) => callee.type === 'Identifier' && callee.name === 'Date';
    return {
      NewExpression(node) {
        if (isDate(node.callee) && node.arguments.length === 0) context.report({ message: MESSAGE, node });
      },
      // Date(...) called as a function ignores its arguments and prints the present moment.
      CallExpression(node) {
        if (isDate(node.callee)) context.report({ message: MESSAGE, node });
      },
    };
  },
};

export default { meta: { name: 'txledger' }, rules: { 'no-argless-date': noArglessDate } };
