import { expect } from 'vitest';
import { paths, type Reply, type Send } from '../../service/emulator/calls.ts';
import { ids } from '../fixture.ts';
import { rule } from '../rule.ts';

const connect = (send: Send, id: string, directLink = true, failWhenRaSessionInProgress = true) =>
  send('POST', paths.connection(id), JSON.stringify({ directLink, failWhenRaSessionInProgress }));

const valid = '{"directLink":true,"failWhenRaSessionInProgress":true}';

/** What goes wrong before the action itself looks at the host. */
const errorsOfGate: readonly [number, string, (send: Send, path: string) => Promise<Reply>][] = [
  [
    401,
    'credentials',
    (send, path) => send('POST', path, valid, { headers: { authorization: 'Basic eDp5' } }),
  ],
  [405, 'another method', (send, path) => send('GET', path)],
  [
    415,
    'another content type',
    (send, path) => send('POST', path, valid, { headers: { 'content-type': 'text/plain' } }),
  ],
  [415, 'no JSON', (send, path) => send('POST', path, '{')],
  [400, 'missing parameters', (send, path) => send('POST', path, '{}')],
];

export const connectionRules = [
  rule('section 4, #5', 'a ticket has a URL and a number', async ({ send }) => {
    const reply = await connect(send, ids.web1);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      gatewayUrl: expect.stringMatching(/^https:/),
      sessionTicketId: expect.any(Number),
    });
  }),
  rule('section 4, #5', 'every ticket is a new one', async ({ send }) => {
    const first = await connect(send, ids.web1);
    const second = await connect(send, ids.web1);
    expect(first.json.sessionTicketId).not.toBe(second.json.sessionTicketId);
  }),
  rule('connection rules 1 and 2', 'a direct link is another one than the gateway', async ({ send }) => {
    const direct = await connect(send, ids.web1, true);
    const gateway = await connect(send, ids.web1, false);
    expect(new URL(direct.json.gatewayUrl).host).not.toBe(new URL(gateway.json.gatewayUrl).host);
  }),
  rule('connection rule 3', 'a session in progress is a conflict when asked for', async ({ send }) => {
    const reply = await connect(send, ids.kiosk);
    expect(reply.status).toBe(409);
    expect(reply.json).toEqual({ message: expect.any(String), hostId: Number(ids.kiosk) });
  }),
  rule('connection rule 4', 'a session in progress does not matter otherwise', async ({ send }) => {
    expect((await connect(send, ids.kiosk, true, false)).status).toBe(200);
  }),
  rule('connection rule 5', 'an unknown host is not found', async ({ send }) => {
    const reply = await connect(send, ids.unknown);
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({ message: expect.any(String), hostId: Number(ids.unknown) });
  }),
  rule('connection rule 6', 'an offline host is not allowed, its id exact', async ({ send }) => {
    const reply = await connect(send, ids.web2);
    expect(reply.status).toBe(405);
    expect(reply.text).toContain(`"hostId":${ids.web2}`);
  }),
  rule('connection rule 6', 'a host that comes online can be connected to', async ({ send, edit }) => {
    edit({ kind: 'online', id: ids.web2, online: true });
    expect((await connect(send, ids.web2)).status).toBe(200);
  }),
  rule('connection rule 7', 'both spellings of the path work', async ({ send }) => {
    const body = '{"directLink":true,"failWhenRaSessionInProgress":true}';
    expect((await send('POST', `${paths.connection(ids.web1)}s`, body)).status).toBe(200);
  }),
  rule(
    'connection rule 7',
    'a service may know only the plural',
    async ({ send }) => {
      const body = '{"directLink":true,"failWhenRaSessionInProgress":true}';
      expect((await send('POST', `${paths.connection(ids.web1)}s`, body)).status).toBe(200);
      const unknown = await connect(send, ids.web1);
      expect(unknown.status).toBe(404);
      expect(unknown.json).toEqual({ message: expect.any(String) });
    },
    { connectionSegment: 'connections' },
  ),
  rule('connection rule 8', 'an error body is JSON although its type says text/html', async ({ send }) => {
    const reply = await connect(send, ids.unknown);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.json).toBeDefined();
  }),
  rule('section 7, 400', 'an id that is no integer is an invalid parameter', async ({ send }) => {
    for (const id of ['abc', '%', '%E0%A4%A', '9223372036854775808']) {
      const reply = await connect(send, id);
      expect(reply.status).toBe(400);
      expect(reply.json).toEqual({ message: expect.any(String), hostId: null });
    }
  }),
  ...errorsOfGate.map(([status, what, call]) =>
    rule(`section 7, ${status}`, `a connection error names its host exactly: ${what}`, async ({ send }) => {
      const reply = await call(send, paths.connection(ids.web2));
      expect(reply.status).toBe(status);
      expect(reply.json).toEqual({ message: expect.any(String), hostId: ids.web2 });
      expect(reply.text).toContain(`"hostId":${ids.web2}`);
    }),
  ),
];
