import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  authorizationOf,
  type Credentials,
  checkCredentials,
} from '../../../src/service/client/credentials.ts';
import { answer, scriptedService } from '../../given/scripted-service.ts';

const psk = 'p$k"\\é';

describe('the Authorization header', () => {
  const cases: readonly (readonly [string, Credentials, string])[] = [
    [
      'basic is base64 of companyId:psk',
      { kind: 'basic', companyId: '1234567890', psk: 'secret' },
      `Basic ${Buffer.from('1234567890:secret').toString('base64')}`,
    ],
    [
      'basic takes the UTF-8 bytes',
      { kind: 'basic', companyId: '1', psk },
      `Basic ${Buffer.from(`1:${psk}`, 'utf8').toString('base64')}`,
    ],
    [
      'json has the company ID as an exact number',
      { kind: 'json', companyId: '9007199254740993', psk: 'secret' },
      '{"companyId":9007199254740993,"psk":"secret"}',
    ],
    ['json is in ASCII', { kind: 'json', companyId: '1', psk }, '{"companyId":1,"psk":"p$k\\"\\\\\\u00e9"}'],
    [
      'a session has an id and a numeric profile',
      { kind: 'session', sessionId: 'abc', profileId: '42' },
      '{"loginSessionId":"abc","profileId":42}',
    ],
  ];
  it.each(cases)('%s', (_, credentials, header) => expect(authorizationOf(credentials)).toBe(header));

  it.each<readonly [string, Credentials, string]>([
    ['a company ID that is no integer', { kind: 'basic', companyId: '12a', psk: 's3cr3t' }, 'configuration'],
    ['an empty PSK', { kind: 'json', companyId: '12', psk: '' }, 'missing-credentials'],
    ['an empty profile id', { kind: 'session', sessionId: 's3cr3t', profileId: '' }, 'configuration'],
  ])('refuses %s without quoting it', (_, credentials, code) => {
    const checked = checkCredentials(credentials);
    expect(checked.problems.map((each) => each.code)).toEqual([code]);
    expect(JSON.stringify(checked)).not.toContain('s3cr3t');
    expect(JSON.stringify(checked)).not.toContain('12a');
  });

  it('accepts complete credentials', () =>
    expect(checkCredentials({ kind: 'basic', companyId: '12', psk: 'x' }).ok).toBe(true));
});

describe('a request', () => {
  it('of a GET has the two headers and no body', async () => {
    const { client, requests } = scriptedService([answer(200, { hosts: [] })]);
    await client.call('listHosts');
    expect(requests).toEqual([
      {
        method: 'GET',
        path: '/public-api/v2/hosts',
        headers: {
          accept: 'application/JSON',
          authorization: `Basic ${Buffer.from('1234567890:correct horse').toString('base64')}`,
        },
        body: null,
      },
    ]);
  });

  it('with a body says that it is JSON', async () => {
    const { client, requests } = scriptedService([answer(204)]);
    await client.call('renameHost', { path: { 'host-id': '5' }, body: { newDescription: 'A "1"' } });
    expect(requests[0]).toMatchObject({
      method: 'PUT',
      path: '/public-api/v1/hosts/5/description',
      headers: { 'content-type': 'application/JSON; charset=utf-8' },
      body: '{"newDescription":"A \\"1\\""}',
    });
  });

  it('keeps 64-bit ids exact in paths and bodies', async () => {
    const { client, requests } = scriptedService([answer(204)]);
    await client.call('moveHosts', {
      path: { groupid: '-1' },
      body: { hostIds: ['9223372036854775807', '9007199254740993', '7'] },
    });
    await client.call('renameHost', {
      path: { 'host-id': '9223372036854775807' },
      body: { newDescription: 'x' },
    });
    expect(requests[0]).toMatchObject({
      path: '/public-api/v1/host-groups/-1/hosts',
      body: '{"hostIds":[9223372036854775807,9007199254740993,7]}',
    });
    expect(requests[1]?.path).toBe('/public-api/v1/hosts/9223372036854775807/description');
  });

  it('writes the ids of anti-virus targets as integers too', async () => {
    const { client, requests } = scriptedService([answer(200, { status: 1 })]);
    await client.call('installAntivirus', { body: { targetHostIds: ['9007199254740993'] } });
    expect(requests[0]?.body).toBe('{"targetHostIds":[9007199254740993]}');
  });

  it('percent-encodes every character of any report token', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'binary' }), async (token) => {
        const { client, requests } = scriptedService([
          answer(200, { report: { token: null, expires: null }, hosts: {} }),
        ]);
        const result = await client.call('readHardwareReport', { path: { 'report-token': token } });
        const prefix = '/public-api/v1/inventory/hardware/reports/';
        if (!result.ok) {
          expect(token === '.' || token === '..' || !token.isWellFormed()).toBe(true);
          expect(requests).toEqual([]);
          return;
        }
        const segment = requests[0]?.path.slice(prefix.length) ?? '';
        expect(segment).toMatch(/^[\w!'()*~.%-]+$/);
        expect(decodeURIComponent(segment)).toBe(token);
      }),
    ));

  it.each([
    ['an id that is no integer', { 'host-id': '5/../6' }, { newDescription: 'x' }],
    ['an id beyond 64 bits', { 'host-id': '9223372036854775808' }, { newDescription: 'x' }],
    ['a missing id', {}, { newDescription: 'x' }],
    ['a body of the wrong shape', { 'host-id': '5' }, { newDescription: 5 }],
    ['no body', { 'host-id': '5' }, null],
  ])('is not sent with %s', async (_, path, body) => {
    const { client, requests } = scriptedService([answer(204)]);
    expect(await client.call('renameHost', { path, body } as never)).toMatchObject({
      ok: false,
      failure: { outcome: 'not-sent', problem: { code: 'invalid-value' } },
    });
    expect(requests).toEqual([]);
  });
});

describe('aliases', () => {
  it('change the spelling of two paths', async () => {
    const { client, requests } = scriptedService([answer(500)], {
      aliases: { connectionPath: 'connections', installPath: 'install-acme-endpoint-security' },
    });
    await client.call('connectHost', {
      path: { 'host-id': '5' },
      body: { directLink: true, failWhenRaSessionInProgress: true },
    });
    await client.call('installAntivirus', { body: { targetHostIds: ['5'] } });
    expect(requests.map((each) => each.path)).toEqual([
      '/public-api/v1/hosts/5/connections',
      '/public-api/v1/anti-virus/actions/install-acme-endpoint-security',
    ]);
  });

  const host = {
    hostId: 5,
    hostDescription: 'A',
    groupId: -1,
    isOnline: true,
    acmeInstallSupported: true,
    hasAcmeInstalled: false,
  };

  it("rename the vendor's fields before validation", async () => {
    const { client } = scriptedService([answer(200, { hostGroups: [], hosts: [host] })], {
      aliases: {
        fields: { vendorInstallSupported: 'acmeInstallSupported', hasVendorInstalled: 'hasAcmeInstalled' },
      },
    });
    expect(await client.call('listAntivirusDetails')).toEqual({
      ok: true,
      value: {
        hostGroups: [],
        hosts: [
          {
            hostId: '5',
            hostDescription: 'A',
            groupId: '-1',
            isOnline: true,
            vendorInstallSupported: true,
            hasVendorInstalled: false,
          },
        ],
      },
    });
  });

  it('are not guessed', async () => {
    const { client } = scriptedService([answer(200, { hostGroups: [], hosts: [host] })]);
    const result = await client.call('listAntivirusDetails');
    expect(result).toMatchObject({ ok: false, failure: { problem: { code: 'malformed-response' } } });
  });
});
