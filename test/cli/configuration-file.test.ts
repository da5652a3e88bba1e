import { expect, it } from 'vitest';
import { connected, testPsk, workplace } from '../given/command-line.ts';

it.each([
  ['a key that sounds like a secret', `accounts: { berlin: { psk: ${testPsk} } }`],
  ['a password', `accounts: { berlin: { Password: ${testPsk} } }`],
  ['a key where the name of a variable belongs', `accounts: { berlin: { key: { variable: ${testPsk} } } }`],
  ['a secret at the top', `psk: ${testPsk}`],
  ['broken YAML around a secret', `accounts: { berlin: { key: { variable: [${testPsk}`],
  ['a list of accounts', 'accounts: [berlin]'],
  ['a bad connection path', 'accounts: { berlin: { companyId: 1 } }\naliases: { connectionPath: connects }'],
])('rampart.config.yaml is refused with %s, which is not repeated', async (_, text) => {
  const { rampart } = await workplace({ 'rampart.config.yaml': `${text}\n` });
  const ran = await rampart('doctor credentials --account berlin -v', { env: { RAMPART_LOG: 'debug' } });
  expect(ran).toExit(3, 'rampart.config.yaml');
  expect(`${ran.out}${ran.err}`).not.toContain(testPsk.slice(0, 20));
});

it('an address in the environment with credentials in it is refused, and not repeated', async () => {
  const { rampart, emulator } = await connected({ hosts: [] });
  const ran = await rampart('hosts', { env: { RAMPART_BASE_URL: 'https://user:hidden-word@a.example.com' } });
  expect(ran.code).toBe(3);
  expect(ran.out + ran.err).not.toContain('hidden-word');
  expect(emulator.requests).toHaveLength(0);
});
