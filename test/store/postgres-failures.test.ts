/** Which of the three ways in which a write can fail each of PostgreSQL's errors is. Needs no server. */
import { expect, test } from '@jest/globals';
import { commitFailure, losesConnection, statementFailure } from '../../server/store/postgres/failure.ts';

const postgres = (code: string) => Object.assign(new Error('failed'), { code, severity: 'FEHLER' });
const network = (code: string) => Object.assign(new Error('failed'), { code });
const nameOf = (error: unknown): string => (error as Error).name;

const AWAY = [
  '08006',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53100',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '58030',
  'XX000',
];
const DEFECTS = [
  postgres('23502'),
  postgres('42601'),
  postgres('42P01'),
  postgres('22P02'),
  new TypeError('x'),
  new RangeError('x'),
];

test('of statements leave nothing: try later, read again, or a defect', () => {
  for (const code of AWAY) expect(nameOf(statementFailure(postgres(code)))).toBe('StoreUnavailableError');
  for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
    expect(nameOf(statementFailure(network(code)))).toBe('StoreUnavailableError');
  expect(nameOf(statementFailure(new Error('Connection terminated unexpectedly')))).toBe('StoreUnavailableError');
  expect(nameOf(statementFailure(postgres('23505')))).toBe('StoreConflictError');
  for (const error of DEFECTS) expect(statementFailure(error)).toBe(error);
});

test('of commits are known only when the server says that it refused', () => {
  for (const code of ['40001', '40P01']) expect(nameOf(commitFailure(postgres(code)))).toBe('StoreUnavailableError');
  expect(nameOf(commitFailure(postgres('23505')))).toBe('StoreConflictError');
  for (const error of [
    postgres('40003'),
    postgres('53100'),
    postgres('57P01'),
    postgres('57014'),
    network('ECONNRESET'),
    new Error('Query read timeout'),
  ]) {
    expect(commitFailure(error)).toMatchObject({ name: 'StoreOutcomeUnknownError', rereadable: true });
  }
});

test('a connection is used again only after errors that leave it whole', () => {
  for (const error of [postgres('23505'), postgres('40001'), postgres('55P03'), postgres('57014'), new TypeError('x')])
    expect(losesConnection(error)).toBe(false);
  for (const error of [
    postgres('57P01'),
    postgres('25P03'),
    postgres('0A000'),
    network('ECONNRESET'),
    new Error('Query read timeout'),
  ])
    expect(losesConnection(error)).toBe(true);
});
