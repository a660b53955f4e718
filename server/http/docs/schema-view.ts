/** Schemas of the contract as tables: each member with its type, whether it is required, what it means, its bounds and an example. */
import { resolve } from '../contract/bundle.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import { anchor, code, escape } from './html.ts';
import { inlineMarkdown } from './markdown.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  'x-extensible-enum'?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export function schemaHref(name: string): string {
  return `#schema-${anchor(name)}`;
}

/** One line that says what a schema is: a link to a named one, or its type. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="${schemaHref(name)}">${escape(name)}</a>`;
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return branches.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (schema.allOf?.length === 1 && schema.allOf[0] !== undefined && schema.properties === undefined) return typeOf(schema.allOf[0]);
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'object');
  return escape(schema.format === undefined ? type : `${type} (${schema.format})`);
}

/** Bounds of a value, in words. */
export function rulesOf(schema: Schema): string {
  const rules: string[] = [];
  if (schema.enum !== undefined) rules.push(`one of ${schema.enum.map((value) => code(String(value))).join(' ')}`);
  const known = schema['x-extensible-enum'];
  if (known !== undefined) rules.push(`known today: ${known.map((value) => code(String(value))).join(' ')}, others may come`);
  if (schema.minimum !== undefined || schema.maximum !== undefined) rules.push(range(schema.minimum, schema.maximum, ''));
  if (schema.pattern !== undefined && known === undefined) rules.push(`matches ${code(schema.pattern)}`);
  else if (known === undefined && (schema.minLength !== undefined || schema.maxLength !== undefined)) rules.push(range(schema.minLength, schema.maxLength, ' characters'));
  if (schema.minItems !== undefined || schema.maxItems !== undefined) rules.push(range(schema.minItems, schema.maxItems, ' items'));
  if (schema.default !== undefined) rules.push(`default ${code(String(schema.default))}`);
  return rules.length === 0 ? '' : `<div class="rule">${rules.join(' · ')}</div>`;
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && low === high) return `exactly ${low}${unit}`;
  if (low === undefined) return `at most ${high}${unit}`;
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
}

export function exampleOf(schema: Schema): string {
  const [example] = schema.examples ?? [];
  if (example === undefined || typeof example === 'object') return '';
  return `<div class="rule">for example ${code(String(example))}</div>`;
}

/** The members of an object schema, those of the schemas it extends first. */
export function membersOf(document: OpenapiDocument, schema: Schema): { properties: Map<string, Schema>; required: Set<string> } {
  const properties = new Map<string, Schema>();
  const required = new Set<string>(schema.required);
  for (const part of schema.allOf ?? []) {
    const inherited = membersOf(document, resolve(document, part) as Schema);
    for (const [name, member] of inherited.properties) properties.set(name, member);
    for (const name of inherited.required) required.add(name);
  }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (typeof member === 'object') properties.set(name, { ...properties.get(name), ...member });
  }
  return { properties, required };
}

export function schemaTable(document: OpenapiDocument, schema: Schema): string {
  const { properties, required } = membersOf(document, schema);
  if (properties.size === 0) return '';
  const rows = [...properties].map(([name, member]) => {
    const target = member.$ref === undefined ? member : ({ ...(resolve(document, member) as Schema), ...member } as Schema);
    const need = required.has(name) ? '' : ' <span class="tag">optional</span>';
    const bounds = member.$ref === undefined ? rulesOf(target) : '';
    return `<tr><td>${code(name)}${need}</td><td>${typeOf(member)}</td><td class="wrap">${inlineMarkdown(target.description)}${bounds}${exampleOf(target)}</td></tr>`;
  });
  return `<div class="table"><table><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
