import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueWords } from '../../../src/core/lib/issue-words.ts';

const schema = z.strictObject({
  account: z.object({ id: z.string() }),
  hosts: z.array(z.object({ id: z.string().refine((id) => id !== '', 'expected digits') })),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })]),
  role: z.enum(['a', 'b']).optional(),
  days: z.int().min(1).max(366).optional(),
  name: z.string().min(1).optional(),
  names: z.array(z.number()).max(2).optional(),
  share: z.number().lt(1).optional(),
  of: z.strictObject({}).optional(),
});
const right = { account: { id: '1' }, hosts: [{ id: '1' }], kind: { is: 'a' } };

test.each([
  ['a missing member', { ...right, account: undefined }, '"account" is missing'],
  ['a wrong kind', { ...right, hosts: {} }, '"hosts" must be a list'],
  ['a wrong kind within a list', { ...right, hosts: [{ id: 1 }] }, '"hosts.0.id" must be text'],
  ['words of the schema', { ...right, hosts: [{ id: '' }] }, '"hosts.0.id": expected digits'],
  ['a value of none of some', { ...right, kind: { is: 'c' } }, `"kind.is" has an invalid value`],
  ['a value that is not in a list', { ...right, role: 'c' }, `"role" must be "a" or "b"`],
  ['a number that is too large', { ...right, days: 367 }, '"days" must be at most 366'],
  ['a number that is too small', { ...right, days: 0 }, '"days" must be at least 1'],
  ['a text that is too short', { ...right, name: '' }, '"name" must have at least 1 character'],
  ['a list that is too long', { ...right, names: [1, 2, 3] }, '"names" must have at most 2 items'],
  ['a number beyond an open limit', { ...right, share: 1 }, '"share" has an invalid value'],
  ['an unknown member', { ...right, dyas: 1 }, '"dyas" is not known'],
  ['an unknown member within', { ...right, of: { x: 1 } }, '"of.x" is not known'],
  ['another document', 7, 'the document must be an object'],
])('reports %s', (_case, document, words) => {
  const { error } = schema.safeParse(document);
  expect(error?.issues.slice(0, 1).map(issueWords)).toEqual([words]);
});
