/**
 * Runs a workflow of Arazzo 1.0.1, as far as those of this contract go: operations by operationId, header, path and query parameters, JSON
 * payloads, simple conditions, outputs, and repeating a step. What it does not know it refuses, so that no condition is passed over.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Broken, expect, show } from '../expect.ts';
import type { Answer } from '../http.ts';
import type { Session } from '../session.ts';
import { published } from '../vectors.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly value: string | number;
}

interface Criterion {
  readonly condition: string;
}

interface Step {
  readonly stepId: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  /** An expression, or JSON without expressions. */
  readonly requestBody?: { readonly payload: string | object };
  readonly successCriteria: readonly Criterion[];
  readonly onFailure?: readonly {
    type: string;
    retryAfter: number;
    retryLimit: number;
    criteria: readonly Criterion[];
  }[];
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly workflowId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly steps: readonly Step[];
  /** The name of the file. */
  readonly file: string;
}

export function loadWorkflows(): Workflow[] {
  const folder = published('workflows');
  const files = readdirSync(folder).filter((name) => name.endsWith('.arazzo.yaml'));
  return files.sort().flatMap((file) => {
    const { workflows } = parse(readFileSync(new URL(file, folder), 'utf8')) as { workflows: Omit<Workflow, 'file'>[] };
    return workflows.map((workflow) => ({ ...workflow, file }));
  });
}

interface Context {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Record<string, Record<string, unknown>>;
  answer?: Answer;
}

export async function runWorkflow(
  session: Session,
  workflow: Workflow,
  inputs: Readonly<Record<string, unknown>>,
): Promise<void> {
  const contract = await session.contract();
  const context: Context = { inputs, outputs: {} };
  for (const step of workflow.steps) {
    for (let attempt = 0; ; attempt += 1) {
      context.answer = await send(session, workflow, step, context);
      contract.expectAnswer(step.operationId, context.answer);
      const failed = step.successCriteria.find(({ condition }) => !holds(condition, context));
      if (failed === undefined) break;
      const retry = step.onFailure?.find(
        ({ type, criteria }) => type === 'retry' && criteria.every(({ condition }) => holds(condition, context)),
      );
      if (retry === undefined || attempt >= retry.retryLimit) {
        throw new Broken(
          `step ${step.stepId}: ${failed.condition} does not hold for ${context.answer.status} ${show(context.answer.body)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, retry.retryAfter * 1000));
    }
    context.outputs[step.stepId] = Object.fromEntries(
      Object.entries(step.outputs ?? {}).map(([name, expression]) => [name, valueOf(expression, context)]),
    );
  }
}

async function send(session: Session, workflow: Workflow, step: Step, context: Context): Promise<Answer> {
  const operation = (await session.contract()).operation(step.operationId);
  let { path } = operation;
  // Authorization is the workflow's to give: none is none.
  const headers: Record<string, string> = { authorization: '' };
  const query = new URLSearchParams();
  for (const { name, in: place, value } of [...(workflow.parameters ?? []), ...(step.parameters ?? [])]) {
    const text = String(typeof value === 'string' ? filled(value, context) : value);
    if (place === 'header') headers[name.toLowerCase()] = text;
    else if (place === 'query') query.set(name, text);
    else path = path.replace(`{${name}}`, encodeURIComponent(text));
  }
  expect(!path.includes('{'), `step ${step.stepId} gives no value for ${path}`);
  const { payload } = step.requestBody ?? {};
  const body = typeof payload === 'string' ? (valueOf(payload, context) as object) : payload;
  return session.call(query.size === 0 ? path : `${path}?${query}`, {
    method: operation.method.toUpperCase(),
    headers,
    body,
  });
}

/** Text with expressions in braces, or an expression alone. */
function filled(text: string, context: Context): unknown {
  if (text.startsWith('$')) return valueOf(text, context);
  return text.replace(/\{(\$[^}]+)\}/g, (_, expression: string) => String(valueOf(expression, context)));
}

/** `left operator right`; the right side is an expression, a number, a boolean or quoted text. */
function holds(condition: string, context: Context): boolean {
  const [, left, operator, right] = /^(\$\S+) (==|!=|>) (.+)$/.exec(condition) ?? [];
  if (left === undefined || right === undefined) throw new Error(`a condition that is not known here: ${condition}`);
  const [actual, expected] = [valueOf(left, context), right.startsWith('$') ? valueOf(right, context) : literal(right)];
  if (actual === undefined) return false;
  if (operator === '>') return Number(actual) > Number(expected);
  return (actual === expected) === (operator === '==');
}

function literal(text: string): unknown {
  if (text.startsWith("'") && text.endsWith("'")) return text.slice(1, -1);
  return JSON.parse(text) as unknown;
}

function valueOf(expression: string, { inputs, outputs, answer }: Context): unknown {
  const [, input] = /^\$inputs\.(\w+)$/.exec(expression) ?? [];
  if (input !== undefined) return inputs[input];
  const [, step, output] = /^\$steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
  if (step !== undefined && output !== undefined) return outputs[step]?.[output];
  if (expression === '$statusCode') return answer?.status;
  const [, header] = /^\$response\.header\.([\w-]+)$/.exec(expression) ?? [];
  if (header !== undefined) return answer?.headers[header.toLowerCase()];
  const [, pointer] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  if (pointer !== undefined) return pointer.split('/').reduce<any>((inside, key) => inside?.[key], answer?.body);
  throw new Error(`an expression that is not known here: ${expression}`);
}
