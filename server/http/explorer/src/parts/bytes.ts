/** The bytes of a transaction, each field in its colour, with the meaning of each field. */
import { h } from '../dom.ts';

const FIELDS: Readonly<Record<string, { hue: number; about: string }>> = {
  amount: { hue: 1, about: 'how much, in minor units' },
  chainId: { hue: 2, about: 'the one chain that this is valid on' },
  from: { hue: 3, about: 'who pays: the key that signs' },
  nonce: { hue: 4, about: 'the place among the payments of this account' },
  reference: { hue: 5, about: 'what the payer calls the payment' },
  signature: { hue: 6, about: 'Ed25519, over the sign bytes' },
  to: { hue: 7, about: 'who is paid' },
  txHash: { hue: 7, about: 'the transfer that is meant' },
  signer: { hue: 5, about: 'whose key signs the cancel' },
  validUntil: { hue: 8, about: 'the last second in which a block may hold it' },
};

/** The unchanged text, with `"name":value` of each known field marked. */
export function colouredBytes(text: string): HTMLElement {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(/"(\w+)":("[^"]*"|\d+)/g)) {
    const [member, name = ''] = match;
    const field = FIELDS[name];
    if (field === undefined) continue;
    parts.push(text.slice(end, match.index), h('span', { class: `hue-${field.hue}` }, member));
    end = match.index + member.length;
  }
  return h('pre', { class: 'bytes' }, ...parts, text.slice(end));
}

export function fieldTable(fields: Readonly<Record<string, unknown>>): HTMLElement {
  const rows = Object.entries(fields).flatMap(([name, value]) => {
    const field = FIELDS[name];
    return field === undefined || value === undefined
      ? []
      : [h('div', {}, h('dt', {}, h('code', { class: `hue-${field.hue}` }, name)), h('dd', {}, field.about))];
  });
  return h('dl', { class: 'legend' }, ...rows);
}
