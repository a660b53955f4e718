/**
 * How express-openapi-validator finds what a reference of the contract names, while it prepares a document.
 *
 * Of its own it asks Ajv, which compiles a validator of each thing that is named, only to read the schema that it was compiled from: a quarter of
 * the time that a group's validators take to make. The contract has local references only, so the place is looked up instead; a test compares
 * what is prepared both ways.
 */
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { resolve, type OpenapiDocument } from './bundle.ts';

const METHOD = 'resolveSchema';
const ownWay: unknown = Reflect.get(SchemaPreprocessor.prototype, METHOD);

function lookedUp(this: { apiDoc: OpenapiDocument }, node: { $ref?: string } | null | undefined): unknown {
  if (!node) return null;
  return node.$ref === undefined ? node : resolve(this.apiDoc, node);
}

/** For the whole process. Throws where the library is another version that has no such method. */
export function lookUpReferences(): void {
  if (typeof ownWay !== 'function')
    throw new Error('express-openapi-validator resolves references in another way; is it another version?');
  Reflect.set(SchemaPreprocessor.prototype, METHOD, lookedUp);
}

/** As the library has it, for comparison. */
export function resolveAsTheLibraryDoes(): void {
  Reflect.set(SchemaPreprocessor.prototype, METHOD, ownWay);
}
