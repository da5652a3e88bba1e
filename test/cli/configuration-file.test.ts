import { describe, expect, it } from 'vitest';
import { givenService, testPsk, workplace } from '../given/command-line.ts';

const fleet = { hosts: [{ id: '1', name: 'A' }] };

describe('rampart.config.yaml', () => {
  it('names the service, the company and the variable that holds the key', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write(
      'rampart.config.yaml',
      `accounts:
  berlin:
    baseUrl: ${env['RAMPART_BASE_URL']}
    companyId: 1234567890
    auth: json
    key: { variable: BERLIN_PSK }
`,
    );
    const pinned = { RAMPART_ALLOWED_ORIGINS: env['RAMPART_BASE_URL'] };
    const secret = { ...pinned, BERLIN_PSK: testPsk };
    expect((await rampart(['doctor', 'credentials', '--account', 'berlin'], { env: secret })).code).toBe(0);
    expect((await rampart(['doctor', 'credentials'], { env: secret })).code).toBe(3);
    expect((await rampart(['doctor', 'credentials', '--account', 'berlin'], { env: pinned })).code).toBe(3);
  });

  it('may name a key file', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('berlin.key', `${testPsk}\n`);
    await write(
      'rampart.config.yaml',
      `accounts: { berlin: { baseUrl: '${env['RAMPART_BASE_URL']}', companyId: 1234567890, key: { file: berlin.key } } }\n`,
    );
    const pinned = { RAMPART_ALLOWED_ORIGINS: env['RAMPART_BASE_URL'] };
    expect((await rampart(['doctor', 'credentials', '--account', 'berlin'], { env: pinned })).code).toBe(0);
  });

  it('lists the accounts', async () => {
    const { rampart, write } = await workplace();
    await write('rampart.config.yaml', 'accounts: { berlin: { companyId: 1 }, lisbon: { companyId: 2 } }\n');
    const ran = await rampart(['doctor', 'credentials', '--account', 'berln']);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain('"berlin"');
    const none = await workplace();
    expect((await none.rampart(['doctor', 'credentials', '--account', 'berlin'])).code).toBe(3);
  });

  const refused = [
    ['a key that sounds like a secret', `accounts: { berlin: { psk: ${testPsk} } }`],
    ['a password', `accounts: { berlin: { Password: ${testPsk} } }`],
    ['a key where the name of a variable belongs', `accounts: { berlin: { key: { variable: ${testPsk} } } }`],
    ['a secret at the top', `psk: ${testPsk}`],
    ['broken YAML around a secret', `accounts: { berlin: { key: { variable: [${testPsk}`],
    ['an unknown key', 'accounts: { berlin: { baseURL: https://x } }'],
    ['a list of accounts', 'accounts: [berlin]'],
    [
      'a wrong spelling of the connection path',
      'accounts: { berlin: { companyId: 1 } }\naliases: { connectionPath: connects }',
    ],
  ] as const;
  for (const [what, text] of refused) {
    it(`is refused with ${what}, which is not repeated`, async () => {
      const { rampart, write } = await workplace();
      await write('rampart.config.yaml', `${text}\n`);
      const ran = await rampart(['doctor', 'credentials', '--account', 'berlin', '-v'], {
        env: { RAMPART_LOG: 'debug' },
      });
      expect(ran.code).toBe(3);
      expect(ran.err).toContain('rampart.config.yaml');
      expect(`${ran.out}${ran.err}`).not.toContain(testPsk.slice(0, 20));
    });
  }
});

describe('the environment', () => {
  it('takes the JSON form of the credentials', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService(fleet);
    expect((await rampart(['doctor', 'credentials'], { env: { ...env, RAMPART_AUTH: 'json' } })).code).toBe(
      0,
    );
    expect((await rampart(['doctor', 'credentials'], { env: { ...env, RAMPART_AUTH: 'digest' } })).code).toBe(
      3,
    );
  });

  it.each([
    ['a company ID that is no integer', { RAMPART_COMPANY_ID: 'acme' }],
    ['no company ID', { RAMPART_COMPANY_ID: '' }],
    ['no key', { RAMPART_PSK: '' }],
    ['a key file that is not there', { RAMPART_PSK: '', RAMPART_PSK_FILE: 'nowhere' }],
    ['no address', { RAMPART_BASE_URL: '' }],
    ['an address that is none', { RAMPART_BASE_URL: 'remote' }],
    [
      'an address with credentials in it',
      { RAMPART_BASE_URL: 'https://user:hidden-word@remote.example.com' },
    ],
  ])('is refused with %s, with no request', async (_, change) => {
    const { rampart } = await workplace();
    const { env, emulator } = await givenService(fleet);
    const ran = await rampart(['hosts'], { env: { ...env, ...change } });
    expect(ran.code).toBe(3);
    expect(ran.err).not.toContain('hidden-word');
    expect(emulator.requests).toHaveLength(0);
  });
});
