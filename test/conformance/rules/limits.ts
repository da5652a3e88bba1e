import { expect } from 'vitest';
import { type Action, actions, api } from '../../../src/contract/api.ts';
import { hostIds } from '../../emulator/calls.ts';
import { reported } from '../fixture.ts';
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
  rule('section 7, 429', 'each action has a limit of its own', async ({ send }) => {
    for (const action of limited) {
      const { method, path } = api[action];
      expect((await send(method, path, bodyOf(action))).status).toBeLessThan(300);
    }
  }),
];
