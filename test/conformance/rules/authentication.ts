import { expect } from 'vitest';
import { basic, hostIds, paths } from '../../service/emulator/calls.ts';
import { ids } from '../fixture.ts';
import { rule } from '../rule.ts';

const check = paths.authentication;
const key = 'x'.repeat(128);

export const authenticationRules = [
  rule('section 4, authentication check', 'valid credentials are a success', async ({ send }) => {
    const reply = await send('GET', check);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ success: true });
    expect(reply.headers['content-type']).toBe('application/JSON; charset=utf-8');
  }),
  rule(
    'section 4, authentication check',
    'some services answer false for bad credentials',
    async (subject) => {
      const reply = await subject.send('GET', check, undefined, {
        headers: { authorization: basic('1', key) },
      });
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({ success: false });
    },
    { authenticationCheck: 'success-false' },
  ),
  rule('section 5', 'Basic is the base64 of company ID, colon and key', async ({ send, companyId, psk }) => {
    const reply = await send('GET', check, undefined, { headers: { authorization: basic(companyId, psk) } });
    expect(reply.status).toBe(200);
  }),
  rule('section 5', 'the JSON form takes the company ID as a number', async ({ send, companyId, psk }) => {
    const authorization = `{"companyId": ${companyId}, "psk": "${psk}"}`;
    expect((await send('GET', check, undefined, { headers: { authorization } })).status).toBe(200);
  }),
  rule('section 5', 'the JSON form takes the company ID as a string', async ({ send, companyId, psk }) => {
    const authorization = JSON.stringify({ companyId, psk });
    expect((await send('GET', check, undefined, { headers: { authorization } })).status).toBe(200);
  }),
  rule('section 5', 'a pair of session id and profile id is accepted', async ({ send, session }) => {
    const authorization = JSON.stringify({ ...session, profileId: Number(session.profileId) });
    expect((await send('GET', check, undefined, { headers: { authorization } })).status).toBe(200);
  }),
  ...badCredentials().map(([what, authorization]) =>
    rule('section 5', `${what} is not authenticated`, async ({ send, companyId, psk }) => {
      const reply = await send('GET', paths.hosts, undefined, {
        headers: { authorization: authorization(companyId, psk) },
      });
      expect(reply.status).toBe(401);
      expect(reply.text).toBe('{"message":"Not authenticated."}');
      expect(reply.headers['content-type']).toBe('application/JSON');
    }),
  ),
  rule('section 5', 'a write without credentials does nothing', async ({ send }) => {
    const reply = await send('DELETE', paths.hostsV1, hostIds(ids.kiosk), {
      headers: { authorization: null },
    });
    expect(reply.status).toBe(401);
    const hosts = (await send('GET', paths.hosts)).json.hosts;
    expect(hosts).toContainEqual(expect.objectContaining({ description: 'KIOSK' }));
  }),
  ...[paths.categories, paths.customFields].flatMap((path) => [
    rule('section 7, 403', `missing credentials are forbidden at ${path}`, async ({ send }) => {
      const reply = await send('GET', path, undefined, { headers: { authorization: null } });
      expect(reply.status).toBe(403);
      expect(reply.json).toEqual({ message: 'Forbidden' });
    }),
    rule('section 7, 401', `invalid credentials are not authenticated at ${path}`, async ({ send }) => {
      const reply = await send('GET', path, undefined, { headers: { authorization: basic('1', key) } });
      expect(reply.status).toBe(401);
    }),
  ]),
];

function badCredentials(): readonly [string, (companyId: string, psk: string) => string | null][] {
  return [
    ['no header', () => null],
    ['an empty header', () => ''],
    ['another company', (companyId, psk) => basic(`${companyId}1`, psk)],
    ['a wrong key', (companyId) => basic(companyId, key)],
    ['a key cut short', (companyId, psk) => basic(companyId, psk.slice(0, -1))],
    [
      'base64 of UTF-16',
      (companyId, psk) => `Basic ${Buffer.from(`${companyId}:${psk}`, 'utf16le').toString('base64')}`,
    ],
    ['Basic without a colon', (companyId) => `Basic ${btoa(companyId)}`],
    ['Basic of no base64', () => 'Basic AAAAA'],
    ['another scheme', (_, psk) => `Bearer ${psk}`],
    ['JSON with a wrong key', (companyId) => JSON.stringify({ companyId, psk: key })],
    ['JSON cut short', (companyId, psk) => JSON.stringify({ companyId, psk }).slice(0, -1)],
    ['JSON without a key', (companyId) => JSON.stringify({ companyId })],
    ['an unknown session', () => '{"loginSessionId": "x", "profileId": 1}'],
  ];
}
