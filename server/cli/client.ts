/**
 * The client package, the one way in which the commands speak to a service. It is imported from its source here and
 * nowhere else, so that a checkout needs no build before its first command.
 *
 * @module
 */
export * from '../../client/src/index.ts';
