import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { mountOperations, type Operations } from '../../src/server/metrics/mount-operations.ts';
import { openLogin } from '../../src/server/sign-in/routes/open-login.ts';
import { mountHooks } from '../../src/server/sources/routes/mount-hooks.ts';
import type { HookParts } from '../../src/server/sources/routes/receive-hook.ts';
import { httpParts, settingsOf } from './http/given.ts';

const login = {
  issuer: 'https://login.example.com',
  clientId: 'rampart',
  clientSecret: { kind: 'variable' as const, variable: 'RAMPART_LOGIN_SECRET' },
  groupsClaim: 'groups',
  scopes: ['openid'],
  session: { idleMs: 1, lifeMs: 1 },
  roles: [],
};

/** Every address that the server answers, except for the routes of the API and the files of the console. */
function mounted(hasProvider: boolean): readonly string[] {
  const app = new Hono();
  const { store, clock } = httpParts();
  openLogin({
    settings: settingsOf(hasProvider ? { login } : {}),
    store,
    clock,
    audit: { append: async () => ({ ok: false, problems: [] }) } as never,
    env: {},
    hide: () => {},
    url: () => 'http://127.0.0.1:8080',
  }).mount(app);
  mountHooks(app, {} as HookParts);
  mountOperations(app, {} as Operations);
  return app.routes
    .map(({ method, path }) => `${method} ${path}`)
    .toSorted((one, other) => one.localeCompare(other));
}

const always = [
  'ALL /api/v1/exchange',
  'ALL /login/*',
  'ALL /logout',
  'GET /healthz',
  'GET /login',
  'GET /metrics',
  'GET /readyz',
  'POST /api/v1/exchange',
  'POST /hooks/github/:source',
  'POST /hooks/gitlab/:source',
  'POST /logout',
];

test('only these addresses respond without a role, and each has its own proof or shows no account', () => {
  const sorted = (more: string) => [...always, more].toSorted((one, other) => one.localeCompare(other));
  expect(mounted(true)).toEqual(sorted('GET /login/callback'));
  expect(mounted(false)).toEqual(sorted('GET /login/link'));
});
