/**
 * Types that refuse undeclared members in an answer. TypeScript allows an object more members than its type names, unless it is written
 * where that type is expected. An answer is often made from spreads and values of other modules, where an optional member that is misspelt,
 * or was renamed in the contract, would compile. An argument of these functions has declared members only, at any depth, and the compiler's
 * message names the others: `{ notInTheContract: "member body.nextCursr" }`.
 */
import type { Call, Handler, OperationId, Reply, Schemas } from './types.ts';

type KeyOfAny<Union> = Union extends unknown ? keyof Union : never;
type MemberOfAny<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never;
/** Branches of a union as one object, which has the members of all of them. */
type AnyOf<Union> = { [Key in KeyOfAny<Union>]?: MemberOfAny<Union, Key> };

/** False also for two types that differ only in an optional member, each of which `extends` the other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type BranchesOf<Given, Branch> = Branch extends unknown ? (Given extends Branch ? Branch : never) : never;
/** The branches that a value matches; all of them if the compiler cannot decide. */
type Matching<Given, Union> = [BranchesOf<Given, Union>] extends [never] ? Union : BranchesOf<Given, Union>;

/** Types that are not objects with members. */
type Opaque = Uint8Array | AsyncIterable<unknown> | ((...given: never[]) => unknown);
type At<Place extends string, Key extends string> = Place extends '' ? Key : `${Place}.${Key}`;

/** The places of given but undeclared members. Where the contract is open (`unknown`, a map), any member is allowed. */
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
  // The compiler adds `?: undefined` to alternatives that are written next to each other.
  [Key in keyof Given & string]-?: [Given[Key]] extends [undefined]
    ? never
    : Key extends KeyOfAny<Declared>
      ? Undeclared<Given[Key], MemberOfAny<Declared, Key>, At<Place, Key>>
      : At<Place, Key>;
}[keyof Given & string];

/**
 * To be intersected with the type of a parameter: `unknown`, or a type that no argument has, whose text names the places. It comes before
 * the type of the contract, because the compiler reports the first mismatch.
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

/** Types the handler of an operation. */
export function handler<Id extends OperationId, Given extends Reply<Id>>(
  _id: Id,
  answer: Exact<Given, Reply<Id>> & ((call: Call<Id>) => Promise<Given | Reply<Id>>),
): Handler<Id> {
  return answer;
}

/** Types a value as the contract's schema of this name. */
export function resource<Name extends keyof Schemas, Given extends object>(
  _name: Name,
  value: Exact<Given, Schemas[Name]> & Given & Schemas[Name],
): Schemas[Name] {
  return value;
}

/**
 * Does the same for a schema that is a union if the value's type does not identify its branch. That type has to name every member of all
 * branches: a member that is renamed in a single branch is a new one. Response validation in the tests proves which members belong
 * together.
 */
export function resourceOfAny<Name extends keyof Schemas, Given extends object>(
  _name: Name,
  value: Exact<Given, AnyOf<Schemas[Name]>> & Complete<Given, Schemas[Name]> & Given & AnyOf<Schemas[Name]>,
): Schemas[Name] {
  return value as unknown as Schemas[Name];
}
