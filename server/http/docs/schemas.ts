/** Schemas of the contract as Markdown. The keywords read here are those that this contract uses. */
import { resolve } from '../contract/bundle.ts';
import type { OpenapiDocument } from '../contract/bundle.ts';
import { deprecationNote } from '../contract/deprecations.ts';
import { anchor } from './html.ts';
import { code, line, table, text } from './markdown.ts';
import { schemaPlace } from './reference.ts';

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

/** One line that describes a schema: a link to a named one, or its type. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `[${text(name)}](${schemaPlace(name)})`;
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return branches.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`;
  if (schema.allOf?.length === 1 && schema.allOf[0] !== undefined && schema.properties === undefined)
    return typeOf(schema.allOf[0]);
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'object');
  return text(schema.format === undefined ? type : `${type} (${schema.format})`);
}

/** Describes the bounds of a value; empty when it has none. */
export function rulesOf(schema: Schema): string {
  const rules: string[] = [];
  if (schema.enum !== undefined) rules.push(`one of ${schema.enum.map((value) => code(String(value))).join(' ')}`);
  const known = schema['x-extensible-enum'];
  if (known !== undefined)
    rules.push(`known today: ${known.map((value) => code(String(value))).join(' ')}, others may come`);
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    rules.push(range(schema.minimum, schema.maximum, ''));
  if (schema.pattern !== undefined && known === undefined) rules.push(`matches ${code(schema.pattern)}`);
  else if (known === undefined && (schema.minLength !== undefined || schema.maxLength !== undefined))
    rules.push(range(schema.minLength, schema.maxLength, ' characters'));
  if (schema.minItems !== undefined || schema.maxItems !== undefined)
    rules.push(range(schema.minItems, schema.maxItems, ' items'));
  if (schema.default !== undefined) rules.push(`default ${code(String(schema.default))}`);
  return rules.join(' · ');
}

function range(low: number | undefined, high: number | undefined, unit: string): string {
  if (low !== undefined && low === high) return `exactly ${low}${unit}`;
  if (low === undefined) return `at most ${high}${unit}`;
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`;
}

export function exampleOf(schema: Schema): string {
  const [example] = schema.examples ?? [];
  return example === undefined || typeof example === 'object' ? '' : `for example ${code(String(example))}`;
}

/** A description with the rules below it, for a cell. */
export function meaning(...parts: readonly (string | undefined)[]): string {
  return parts
    .map(line)
    .filter((part) => part !== '')
    .join('<br>');
}

/** The members of an object schema, those of the schemas it extends first. */
export function membersOf(
  document: OpenapiDocument,
  schema: Schema,
): { properties: Map<string, Schema>; required: Set<string> } {
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

/** A schema without members of its own has no table. */
function memberTable(document: OpenapiDocument, schema: Schema): string {
  const { properties, required } = membersOf(document, schema);
  const rows = [...properties].map(([name, member]) => {
    const target =
      member.$ref === undefined ? member : ({ ...(resolve(document, member) as Schema), ...member } as Schema);
    return [
      `${code(name)}${required.has(name) ? '' : ' *optional*'}`,
      typeOf(member),
      meaning(
        target.description,
        deprecationNote(member),
        member.$ref === undefined ? rulesOf(target) : '',
        exampleOf(target),
      ),
    ];
  });
  return table(['Member', 'Type', 'Meaning'], rows);
}

export function schemaMarkdown(document: OpenapiDocument, name: string): string {
  const schema = document.components['schemas']?.[name] as Schema;
  const members = memberTable(document, schema);
  const facts =
    members === ''
      ? [`Type: ${typeOf(schema)}`, rulesOf(schema), exampleOf(schema)].filter((fact) => fact !== '').join(' · ')
      : members;
  return `## ${text(name)} {#schema-${anchor(name)}}\n\n${schema.description ?? ''}\n\n${facts}\n`;
}
