import { expect } from 'vitest';
import { hostIds, newDescription, paths } from '../../service/emulator/calls.ts';
import { groupIds, ids } from '../fixture.ts';
import { rule } from '../rule.ts';

const writes = [
  ['PUT', paths.description(ids.kiosk), newDescription('NEW')],
  ['PUT', paths.groupHosts(groupIds.servers), hostIds(ids.kiosk)],
  ['POST', paths.connection(ids.kiosk), '{"directLink":true,"failWhenRaSessionInProgress":false}'],
  ['DELETE', paths.hostsV1, hostIds(ids.kiosk)],
  ['POST', paths.reports('hardware'), hostIds(ids.kiosk)],
  ['POST', paths.reports('system'), hostIds(ids.kiosk)],
  ['POST', paths.refresh, '{"targetHostIds":[1001]}'],
  ['POST', paths.install, '{"targetHostIds":[1001]}'],
] as const;

export const messageRules = [
  ...[
    'application/JSON',
    'application/JSON; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/Json ; Charset="UTF-8"',
  ].map((type) =>
    rule('section 5', `the content type ${type} is accepted`, async ({ send }) => {
      const reply = await send('PUT', paths.description(ids.kiosk), newDescription('NEW'), {
        headers: { 'content-type': type },
      });
      expect(reply.status).toBe(204);
    }),
  ),
  ...writes.map(([method, path, body]) =>
    rule('section 7, 415', `${method} ${path} needs a JSON content type`, async ({ send }) => {
      for (const type of [
        null,
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
      ]) {
        const reply = await send(method, path, body, { headers: { 'content-type': type } });
        expect(reply.status).toBe(415);
        expect(typeof reply.json.message).toBe('string');
      }
    }),
  ),
  ...writes.map(([method, path]) =>
    rule('section 7, 415', `${method} ${path} needs a JSON body`, async ({ send }) => {
      for (const body of ['', '{', "{'hostIds':[1]}", '\u0000'])
        expect((await send(method, path, body)).status).toBe(415);
    }),
  ),
  ...writes.map(([method, path]) =>
    rule('section 7, 400', `${method} ${path} needs its parameters`, async ({ send }) => {
      for (const body of [
        '{}',
        '[]',
        'null',
        '{"hostIds":null}',
        '{"hostIds":["1001"],"targetHostIds":["1001"]}',
      ]) {
        const reply = await send(method, path, body);
        expect(reply.status).toBe(400);
        expect(typeof reply.json.message).toBe('string');
      }
    }),
  ),
  rule('section 5', 'a byte-order mark before the JSON of a body does not matter', async ({ send }) => {
    const path = paths.description(ids.kiosk);
    expect((await send('PUT', path, `\uFEFF${newDescription('NEW')}`)).status).toBe(204);
    expect((await send('PUT', path, `\uFEFF\uFEFF${newDescription('NEW')}`)).status).toBe(415);
  }),
  rule('section 5', 'HEAD is answered with the headers of GET and no body', async ({ send }) => {
    for (const path of [paths.hosts, paths.customFields, '/no-such-path']) {
      const get = await send('GET', path);
      const head = await send('HEAD' as 'GET', path, undefined, { headers: { 'content-type': null } });
      expect(head.status).toBe(get.status);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      expect(head.headers['content-length']).toBe(String(new TextEncoder().encode(get.text).length));
      expect(head.text).toBe('');
    }
    const noRights = { headers: { authorization: null } };
    expect((await send('HEAD' as 'GET', paths.hosts, undefined, noRights)).status).toBe(401);
    expect((await send('HEAD' as 'GET', paths.install)).status).toBe(404);
  }),
  rule('section 4, #10', 'HEAD of a report hands out no page', async ({ send }) => {
    const { token } = (await send('POST', paths.reports('hardware'), hostIds('5000', '5001'))).json;
    const path = paths.report('hardware', token);
    expect((await send('HEAD' as 'GET', path)).status).toBe(200);
    expect(Object.keys((await send('GET', path)).json.hosts)).toEqual(['5000', '5001']);
  }),
  rule('section 5', 'GET needs no content type', async ({ send }) => {
    expect((await send('GET', paths.hosts)).status).toBe(200);
  }),
  rule('section 5', 'GET with a body and a content type is tolerated', async ({ send }) => {
    const reply = await send('GET', paths.hosts, '{}', { headers: { 'content-type': 'application/JSON' } });
    expect(reply.status).toBe(200);
  }),
  rule('section 5', 'a missing or unusual Accept header does not matter', async ({ send }) => {
    for (const accept of [null, '*/*', 'text/html, application/json;q=0.9']) {
      expect((await send('GET', paths.hosts, undefined, { headers: { accept } })).status).toBe(200);
    }
  }),
  rule('section 7, 404', 'an unknown path is not found', async ({ send }) => {
    for (const path of [
      '/',
      '/public-api/v2/host',
      '/public-api/v2/hosts/',
      '/public-api/v2/hosts/1/description',
    ]) {
      const reply = await send('GET', path);
      expect(reply.status).toBe(404);
      expect(typeof reply.json.message).toBe('string');
    }
  }),
  rule('section 7, 404', 'another method on a known path is an unknown action', async ({ send }) => {
    expect((await send('DELETE', paths.hosts, hostIds(ids.kiosk))).status).toBe(404);
    expect((await send('GET', paths.install)).status).toBe(404);
  }),
  rule('section 7, 405', 'another method on the connection path is not allowed', async ({ send }) => {
    const reply = await send('GET', paths.connection(ids.kiosk));
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('POST');
  }),
  rule('section 9', 'each action has its version and no other', async ({ send }) => {
    for (const path of [paths.hostsWithGroups, paths.authentication, paths.customFields, paths.antivirus]) {
      const other = path.includes('/v1/') ? path.replace('/v1/', '/v2/') : path.replace('/v2/', '/v1/');
      expect((await send('GET', path)).status).toBe(200);
      expect((await send('GET', other)).status).toBe(404);
    }
    expect((await send('GET', '/public-api/inventory/hardware/fields')).status).toBe(404);
  }),
];
