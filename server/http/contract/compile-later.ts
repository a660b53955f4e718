/**
 * What express-openapi-validator compiles before anybody asks for it is compiled when it is asked for, and what is compiled is searched once.
 *
 * - At the first answer of an operation it makes a judge of every status that is declared, a dozen problems among them: each is made when that
 *   status is answered. (Answers are judged in tests only.)
 * - For every branch of a discriminator that it meets, in answers too, it compiles a validator for bodies: each is made when a body takes it.
 * - It gives Ajv all components and paths with every schema, and Ajv walks through them each time to find identifiers, of which the contract
 *   has none: they can be looked up by name and are not walked through.
 */
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';

type Judges = Record<string, unknown>;
type Build = (this: { spec: Walked }, responses: Judges, key: string) => Judges;
type Discriminate = (this: { ajv: Compiler }, ...rest: unknown[]) => void;
interface Judge {
  (data: unknown): boolean;
  errors?: unknown;
}
interface Compiler {
  compile(schema: unknown): Judge;
}
/** Two members of a document that Ajv is given with each schema. */
interface Walked {
  components?: object;
  paths?: object;
}

const ownBuild = methodOf(ResponseValidator, 'buildValidators') as Build;
const ownDiscriminate = methodOf(SchemaPreprocessor, 'processDiscriminator') as Discriminate;

function methodOf({ prototype, name }: { prototype: object; name: string }, method: string): unknown {
  const found: unknown = Reflect.get(prototype, method);
  if (typeof found !== 'function')
    throw new Error(`${name} of express-openapi-validator has no ${method}; is it another version?`);
  return found;
}

/** For the whole process, and for what is made from now on. */
export function compileLater(): void {
  Reflect.set(ResponseValidator.prototype, 'buildValidators', judgesWhenAnswered);
  Reflect.set(SchemaPreprocessor.prototype, 'processDiscriminator', discriminatedWhenAsked);
}

const judgesWhenAnswered: Build = function (responses, key) {
  const judges: Judges = {};
  for (const status of Object.keys(responses)) {
    let made: unknown;
    const get = (): unknown => (made ??= ownBuild.call(unwalked(this), { [status]: responses[status] }, key)[status]);
    Object.defineProperty(judges, status, { enumerable: true, get });
  }
  return judges;
};

const discriminatedWhenAsked: Discriminate = function (...rest) {
  const { ajv } = this;
  const later = { compile: (schema: unknown) => compiledWhenAsked(ajv, schema) };
  ownDiscriminate.call(Object.create(this, { ajv: { value: later } }) as typeof this, ...rest);
};

function compiledWhenAsked(ajv: Compiler, schema: unknown): Judge {
  let compiled: Judge | undefined;
  const judge: Judge = (data) => {
    compiled ??= ajv.compile(schema);
    const fits = compiled(data);
    judge.errors = compiled.errors;
    return fits;
  };
  return judge;
}

/** The document's components and paths are found by their names, and no walk through it comes upon them. */
export function hideFromWalks(document: Walked): void {
  for (const member of [document.components, document.paths]) {
    for (const name of Object.keys(member ?? {})) Object.defineProperty(member, name, { enumerable: false });
  }
}

function unwalked<T extends { spec: Walked }>(validator: T): T {
  hideFromWalks(validator.spec);
  return validator;
}
