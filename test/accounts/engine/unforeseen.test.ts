import { expect, it } from 'vitest';
import { unforeseen } from '../../../src/accounts/engine/unforeseen.ts';

it('a folder that can not be written is no bug, and a port that is not allowed is no file', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/srv/keys'"), { code: 'EACCES' });
  expect(unforeseen(Object.assign(denied, { path: '/srv/keys' }))).toMatchObject({
    code: 'file-not-written',
    message: "EACCES: permission denied, mkdir '/srv/keys'",
    hint: expect.stringContaining('permissions') as string,
  });
  const listening = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  for (const each of [listening, new TypeError('x is not a function'), 'thrown'])
    expect(unforeseen(each)).toMatchObject({ code: 'unforeseen' });
});
