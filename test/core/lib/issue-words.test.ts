import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueWords } from '../../../src/core/lib/issue-words.ts';

const schema = z.object({
  account: z.object({ id: z.string() }),
  hosts: z.array(z.object({ id: z.string().refine((id) => id !== '', 'expected digits') })),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })]),
});
const right = { account: { id: '1' }, hosts: [{ id: '1' }], kind: { is: 'a' } };

test.each([
  ['a missing member', { ...right, account: undefined }, '"account" is missing'],
  ['a wrong kind', { ...right, hosts: {} }, '"hosts" must be a list'],
  ['a wrong kind within a list', { ...right, hosts: [{ id: 1 }] }, '"hosts.0.id" must be text'],
  ['words of the schema', { ...right, hosts: [{ id: '' }] }, '"hosts.0.id": expected digits'],
  ['a value of none of some', { ...right, kind: { is: 'c' } }, `"kind.is" has an invalid value`],
  ['another document', 7, 'the document must be an object'],
])('reports %s', (_case, document, words) => {
  const { error } = schema.safeParse(document);
  expect(error?.issues.slice(0, 1).map(issueWords)).toEqual([words]);
});
