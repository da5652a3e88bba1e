import { createHmac } from 'node:crypto';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpParts } from '../../../src/server/http/route.ts';
import type { ServerSettings } from '../../../src/server/settings/server-settings.ts';
import type { ServerParts } from '../../../src/server/start/open-parts.ts';
import { mountServerHooks } from '../../../src/server/start/server-hooks.ts';
import { inAWhile, place } from '../jobs/given.ts';

const now = Date.parse('2026-11-23T08:00:00Z');
const checksum = 'a1'.repeat(32);

/** A server with one source, which was fetched so long ago, and one plan that waits. */
function givenServerHooks(fetchedMs: number | null) {
  const sent: unknown[] = [];
  const answered: unknown[] = [];
  const asked: unknown[] = [];
  const plan = { id: 'p-1', account: 'berlin', checksum, required: { notAuthor: false, numbers: [] } };
  const settings = {
    folder: '/',
    sources: [
      {
        kind: 'git',
        name: 'fleet',
        ref: 'main',
        webhookSecret: { kind: 'variable', variable: 'HOOK_SECRET' },
        forge: { kind: 'github' },
      },
    ],
    accounts: [{ name: 'berlin', labels: {}, configuredLabels: new Set() }],
    reviewers: [{ id: 'oidc-zoe', name: 'Zoe', email: 'zoe@example.com', github: 'zoe', place }],
  } as unknown as ServerSettings;
  const store = {
    tickets: { useJti: async () => true },
    sources: {
      list: async () => [
        { name: 'other', fetchedAt: new Date(now - 1_500) },
        { name: 'fleet', fetchedAt: fetchedMs === null ? null : new Date(now - fetchedMs) },
      ],
    },
    notifications: { enqueue: async (given: unknown[]) => void answered.push(...given) },
    plans: { list: async () => ({ ok: true, value: { items: [plan] } }) },
  };
  const parts = {
    settings,
    store,
    env: { HOOK_SECRET: 'shared-secret' },
    hide: () => {},
    clock: { now: () => now, sleep: async () => {} },
    queue: {
      send: async (...given: unknown[]) => {
        await inAWhile();
        sent.push(given);
      },
    },
  } as unknown as ServerParts;
  const plans = {
    find: async (id: string, visible: unknown) => {
      asked.push([id, visible]);
      return undefined;
    },
  };
  const app = new Hono();
  const http = { store: { plans }, clock: parts.clock } as unknown as HttpParts;
  mountServerHooks(app, parts, () => http);
  const post = async (event: string, payload: object): Promise<number> => {
    const body = JSON.stringify(payload);
    const signature = createHmac('sha256', 'shared-secret').update(body).digest('hex');
    const headers = { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` };
    const request = new Request('http://localhost/hooks/github/fleet', { method: 'POST', body, headers });
    return (await app.fetch(request)).status;
  };
  return { post, sent, answered, asked };
}

describe('the webhooks of the server', () => {
  it.each([
    ['never', null, {}],
    ['2 s ago', 2_000, {}],
    ['500 ms ago', 500, { delayMs: 1_500 }],
    ['just now', 0, { delayMs: 2_000 }],
    ['in the future, because clocks differ', -9_000, { delayMs: 2_000 }],
  ])('fetch a source that was fetched %s at most every two seconds', async (_, fetchedMs, options) => {
    const { post, sent } = givenServerHooks(fetchedMs);
    expect(await post('push', { ref: 'refs/heads/main' })).toBe(202);
    expect(sent).toEqual([['fetch', ['fleet'], options]]);
  });

  it('decide about a plan as the reviewer, and queue the reply for the forge of the source', async () => {
    const { post, asked, answered } = givenServerHooks(null);
    const issue = { number: 7, pull_request: {}, user: { id: 9, login: 'jane' } };
    const comment = {
      body: `/rampart approve ${checksum}`,
      user: { id: 8, login: 'zoe' },
      created_at: new Date().toISOString(),
    };
    expect(await post('issue_comment', { action: 'created', issue, comment })).toBe(403);
    expect(asked).toEqual([['p-1', ['berlin']]]);
    expect(answered).toEqual([
      {
        channel: expect.stringContaining('fleet'),
        kind: 'answer',
        account: null,
        topic: '7',
        facts: { pull: 7, login: 'zoe', accepted: false, message: expect.any(String), path: undefined },
        delayMs: 0,
      },
    ]);
  });
});
