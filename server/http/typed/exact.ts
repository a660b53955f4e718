/**
 * Types that let nothing into an answer that the contract does not declare. An object may have more members than its type names, unless it is
 * written where that type is expected. An answer is often put together from spreads and from values of other modules, where an optional member that
 * is misspelt, or has another name in the contract by now, would compile. What goes through these functions has declared members only, at
 * any depth, and the compiler's message names the others: `{ notInTheContract: "member body.nextCursr" }`.
 */
import type { Call, Handler, OperationId, Reply, Schemas } from './types.ts';

type KeyOfAny<Union> = Union extends unknown ? keyof Union : never;
type MemberOfAny<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;
/** Branches of a union as one object, which has the members of all of them. */
type AnyOf<Union> = { [Key in KeyOfAny<Union>]?: MemberOfAny<Union, Key> };

/** False also of two types that differ in an optional member alone, each of which `extends` the other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type BranchesOf<Given, Branch> = Branch extends unknown ? (Given extends Branch ? Branch : never) : never;
/** The branches that a value is of; all of them where the compiler cannot tell. */
type Matching<Given, Union> = [BranchesOf<Given, Union>] extends [never] ? Union : BranchesOf<Given, Union>;

/** What is no object of members. */
type Opaque = Uint8Array | AsyncIterable<unknown> | ((...given: never[]) => unknown);
type At<Place extends string, Key extends string> = Place extends '' ? Key : `${Place}.${Key}`;

/** The places of members that are given and not declared. What the contract leaves open (`unknown`, a map) may be anything. */
type Undeclared<Given, Declared, Place extends string = ''> = unknown extends Declared
  ? never
  : Same<Given, Declared> extends true
    ? never
    : Given extends Opaque
      ? never
      : Given extends readonly (infer Item)[]
        ? Undeclared<Item, Declared extends readonly (infer Of)[] ? Of : never, `${Place}[]`>
        : Given extends object
          ? UndeclaredMembers<Given, Matching<Given, Declared>, Place>
          : never;
type UndeclaredMembers<Given, Declared, Place extends string> = {
  // The compiler adds `?: undefined` to alternatives that are written side by side.
  [Key in keyof Given & string]-?: [Given[Key]] extends [undefined]
    ? never
    : Key extends KeyOfAny<Declared>
      ? Undeclared<Given[Key], MemberOfAny<Declared, Key>, At<Place, Key>>
      : At<Place, Key>;
}[keyof Given & string];

/**
 * To be intersected with the type of a parameter: nothing, or a type that no argument has, whose text names the places. It comes before the type that the
 * contract has, because the compiler tells of the first that does not fit.
 */
type Exact<Given, Declared> =
  Undeclared<Given, Declared> extends infer Places extends string
    ? [Places] extends [never]
      ? unknown
      : { notInTheContract: `member ${Places}` }
    : never;
type Complete<Given, Union> =
  Exclude<KeyOfAny<Union>, keyof Given> extends infer Names extends string
    ? [Names] extends [never]
      ? unknown
      : { neverAnswered: `member ${Names}` }
    : never;

/** The handler of an operation. */
export function handler<Id extends OperationId, Given extends Reply<Id>>(
  _id: Id,
  answer: Exact<Given, Reply<Id>> & ((call: Call<Id>) => Promise<Given | Reply<Id>>),
): Handler<Id> {
  return answer;
}

/** A value as the contract's schema of this name. */
export function resource<Name extends keyof Schemas, Given extends object>(
  _name: Name,
  value: Exact<Given, Schemas[Name]> & Given & Schemas[Name],
): Schemas[Name] {
  return value;
}

/**
 * The same where the schema is a union and the value's type does not say which of its branches it is. That type has to name every member that any branch
 * has: one that is renamed in a single branch is new. Response validation in the tests proves which members go together.
 */
export function resourceOfAny<Name extends keyof Schemas, Given extends object>(
  _name: Name,
  value: Exact<Given, AnyOf<Schemas[Name]>> & Complete<Given, Schemas[Name]> & Given & AnyOf<Schemas[Name]>,
): Schemas[Name] {
  return value as unknown as Schemas[Name];
}
