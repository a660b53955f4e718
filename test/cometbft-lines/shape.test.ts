import { describe, expect, test } from '@jest/globals';
import { differences, shapeOf } from './shape.ts';

const json = (body: unknown): ReturnType<typeof shapeOf> => shapeOf(200, 'application/json', JSON.stringify(body));

describe('two answers', () => {
  test('are alike when only their data differ', () => {
    expect(
      differences(
        json({ result: { height: '3', hash: 'AB', list: [{ a: 1 }, { b: 2 }] } }),
        json({ result: { height: '99', hash: 'CD', list: [{ a: 5, b: 6 }] } }),
      ),
    ).toEqual([]);
    expect(
      differences(
        json({ error: { message: 'height 7 is not there' } }),
        json({ error: { message: 'height 9 is not there' } }),
      ),
    ).toEqual([]);
  });

  test.each([
    ['a member more', { result: {} }, { result: { authority: '' } }, 'result.authority', 'absent', 'string'],
    ['another type', { result: { n: 1 } }, { result: { n: '1' } }, 'result.n', 'number', 'string'],
    [
      'other words of an error',
      { error: { message: 'no' } },
      { error: { message: 'never' } },
      'error.message',
      'no',
      'never',
    ],
    ['an empty list', { result: { list: [] } }, { result: { list: [1] } }, 'result.list[]', 'empty', 'number'],
    ['null', { result: { list: null } }, { result: { list: 'a' } }, 'result.list', 'null', 'string'],
  ])('differ by %s', (_what, here, there, where, ofHere, ofThere) => {
    expect(differences(json(here), json(there))).toEqual([{ where, here: ofHere, there: ofThere }]);
  });

  test('differ by status, and by a body that is no JSON', () => {
    expect(differences(shapeOf(200, 'text/plain', 'yes'), shapeOf(500, 'text/plain', 'no'))).toEqual([
      { where: 'HTTP status', here: '200', there: '500' },
      { where: 'body', here: 'yes', there: 'no' },
    ]);
  });
});
