import { describe, expect, it } from 'vitest';
import { sendMessage } from '../../../src/server/notifications/rules/send-message.ts';
import type { SendParts } from '../../../src/server/notifications/rules/send-parts.ts';
import { retryAfter } from '../../../src/server/notifications/rules/sent.ts';
import { channelOf, mailChannel } from './given.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const message = { title: 'x', sections: [], more: 0, link: null };

interface Request {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A receiver without a socket. */
function receiver(
  answer: (request: Request) => readonly [status: number, body?: string, headers?: Record<string, string>],
) {
  const requests: Request[] = [];
  return {
    requests,
    http: {
      send: async (url: string, request: Omit<Request, 'url'> = {}) => {
        requests.push({ url, ...request });
        const [status, body = '', headers = {}] = answer({ url, ...request });
        return {
          ok: true,
          value: { status, headers: new Headers(headers), body: Buffer.from(body) },
        };
      },
    } as never,
  };
}

describe('the response of a chat or a webhook', () => {
  const sendTo = async (status: number, headers: Record<string, string> = {}) => {
    const { http, requests } = receiver(() => [status, 'the answer', headers]);
    const parts = { env: { HOOK_URL: 'https://chat.example.com/x' }, folder: '/', hide: () => {}, allow: [] };
    const sent = await sendMessage(channelOf('ops'), message, 'd1', { ...parts, http, now: () => now });
    return { sent, requests };
  };

  it.each([199, 200, 204, 299, 300])('is success from 200 to 299: %i', async (status) => {
    expect((await sendTo(status)).sent.ok).toBe(status >= 200 && status < 300);
  });

  it.each([
    [300, 'redirected'],
    [399, 'redirected'],
    [400, 'bad-request'],
    [401, 'not-authenticated'],
    [403, 'not-authenticated'],
    [404, 'not-authenticated'],
    [410, 'not-authenticated'],
    [422, 'bad-request'],
    [429, 'rate-limited'],
    [499, 'bad-request'],
    [500, 'server-error'],
    [503, 'server-error'],
  ])('explains what to do after %i: %s', async (status, code) => {
    const { sent, requests } = await sendTo(status);
    expect(sent).toMatchObject({ ok: false, problems: [{ code }] });
    expect(sent.ok ? '' : sent.problems[0]?.hint).not.toBe('');
    expect(JSON.stringify(sent)).not.toContain('the answer');
    expect(requests).toMatchObject([{ method: 'POST', headers: { 'User-Agent': 'Rampart' } }]);
  });

  it('can request a time to wait', async () => {
    expect((await sendTo(503, { 'retry-after': '60' })).sent).toMatchObject({ askedMs: 60_000 });
    expect((await sendTo(503)).sent).not.toHaveProperty('askedMs');
  });

  it('is not requested if a secret is missing: no message is sent unsigned or without a login', async () => {
    const { http, requests } = receiver(() => [200]);
    const parts: SendParts = {
      env: { HOOK_URL: 'https://chat.example.com/x' },
      folder: '/',
      hide: () => {},
      allow: [],
      http,
      now: () => now,
    };
    const missing = { kind: 'variable', variable: 'RAMPART_NOT_SET_SECRET' } as const;
    const unsigned = await sendMessage(channelOf('ops', { secret: missing }), message, 'd1', parts);
    const mail = mailChannel(1, { user: 'ops', password: missing });
    expect([unsigned, await sendMessage(mail, message, 'd1', parts)]).toMatchObject([
      { ok: false, problems: [{ code: 'missing-credentials' }] },
      { ok: false, problems: [{ code: 'missing-credentials' }] },
    ]);
    expect(requests).toEqual([]);
  });
});

describe('the time before the next attempt', () => {
  it('is at least what the receiver requests, at most an hour, and ends after twelve attempts', () => {
    expect([0, 1, 2, 3, 7, 8, 11].map((attempts) => (retryAfter(attempts) ?? 0) / 1000)).toEqual([
      30, 30, 60, 120, 1920, 3600, 3600,
    ]);
    expect([retryAfter(1, 29_999), retryAfter(1, 31_000), retryAfter(1, 9e9)]).toEqual([
      30_000, 31_000, 3_600_000,
    ]);
    expect([retryAfter(12), retryAfter(13, 1)]).toEqual([null, null]);
  });
});
