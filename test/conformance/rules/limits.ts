import { expect } from 'vitest';
import { type Action, actions, api } from '../../../src/service/contract/api.ts';
import { hostIds, paths } from '../../service/emulator/calls.ts';
import { ids, reported } from '../fixture.ts';
import { rule } from '../rule.ts';

const limited = actions.filter((action) => api[action].rateLimited);

const bodyOf = (action: Action) =>
  api[action].method === 'GET' ? undefined : hostIds(reported[0] as string);

export const limitRules = [
  ...limited.map((action) =>
    rule('section 7, 429', `${action} is denied when it is called too often`, async ({ send, advance }) => {
      const { method, path } = api[action];
      expect((await send(method, path, bodyOf(action))).status).toBeLessThan(300);
      const denied = await send(method, path, bodyOf(action));
      expect(denied.status).toBe(429);
      expect(denied.json).toEqual({ message: expect.any(String), retryDelay: 60 });
      await advance(60_000);
      expect((await send(method, path, bodyOf(action))).status).toBeLessThan(300);
    }),
  ),
  ...(['hardware', 'system'] as const).map((kind) =>
    rule('section 3', `a ${kind} report that was refused leaves the next creation free`, async ({ send }) => {
      const create = (body: string, type = 'application/JSON') =>
        send('POST', paths.reports(kind), body, { headers: { 'content-type': type } });
      const valid = hostIds(reported[0] as string);
      expect((await create(hostIds(ids.unknown))).status).toBe(400);
      expect((await create('{}')).status).toBe(400);
      expect((await create('{')).status).toBe(415);
      expect((await create(valid, 'text/plain')).status).toBe(415);
      expect((await create(valid)).status).toBe(201);
    }),
  ),
  ...(['hardware', 'system'] as const).map((kind) =>
    rule(
      'section 3',
      `while there is no ${kind} token, a report can be created, however short tokens live`,
      async ({ send, advance }) => {
        const create = () => send('POST', paths.reports(kind), hostIds(reported[0] as string));
        expect((await create()).status).toBe(201);
        expect((await create()).status).toBe(429);
        await advance(5_000);
        expect((await send('GET', paths.reports(kind))).json).toEqual({ token: null, expires: null });
        expect((await create()).status).toBe(201);
      },
      { reportTokenLifeMs: 5_000 },
    ),
  ),
  rule('section 7, 429', 'each action has a limit of its own', async ({ send }) => {
    for (const action of limited) {
      const { method, path } = api[action];
      expect((await send(method, path, bodyOf(action))).status).toBeLessThan(300);
    }
  }),
];
