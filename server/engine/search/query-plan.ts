/**
 * The plan of a query: a range of heights, terms that must all be there, and the conditions that only the events themselves can answer.
 *
 * Equality is equality of text here, for numbers and times too, as in CometBFT's own index; ranges compare as numbers.
 */
import type { QueryCondition } from '../port.ts';
import { termOf } from './terms.ts';

export interface QueryPlan {
  fromHeight: number;
  /** Infinity when the query sets no end. */
  toHeight: number;
  terms: string[];
  /** Conditions to be checked on each transaction's events. */
  filters: QueryCondition[];
}

const NUMBER = /^(\d+)(?:\.(\d+))?$/;

/** `heightTag` is the key by which the query names the height: tx.height or block.height. */
export function planQuery(conditions: readonly QueryCondition[], heightTag: string): QueryPlan {
  const plan: QueryPlan = { fromHeight: 1, toHeight: Infinity, terms: [], filters: [] };
  for (const condition of conditions) {
    const { tag, operator, value } = condition;
    if (tag === heightTag) limitHeights(plan, condition);
    else if (operator === '=' && value !== undefined) plan.terms.push(termOf(tag, value.text));
    else plan.filters.push(condition);
  }
  return plan;
}

function limitHeights(plan: QueryPlan, condition: QueryCondition): void {
  const { operator, value } = condition;
  if (operator === 'EXISTS') return;
  if (value === undefined || operator === 'CONTAINS') {
    plan.filters.push(condition);
    return;
  }
  const [, whole, fraction = ''] = NUMBER.exec(value.text) ?? [];
  if (whole === undefined) {
    plan.toHeight = 0;
    return;
  }
  const below = Number(whole);
  const isWhole = /^0*$/.test(fraction);
  // The last height at or below the bound, and the first at or above it.
  const atMost = below;
  const atLeast = isWhole ? below : below + 1;
  if (operator === '<' || operator === '<=' || operator === '=') {
    plan.toHeight = Math.min(plan.toHeight, operator === '<' && isWhole ? atMost - 1 : atMost);
  }
  if (operator === '>' || operator === '>=' || operator === '=') {
    plan.fromHeight = Math.max(plan.fromHeight, operator === '>' && isWhole ? atLeast + 1 : atLeast);
  }
}
