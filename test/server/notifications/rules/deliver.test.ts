import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DeliverParts, deliver, sendTest } from '../../../../src/server/notifications/rules/deliver.ts';
import type { NotificationSettings } from '../../../../src/server/settings/server-settings.ts';
import { createGuardedHttp } from '../../../../src/service/client/guarded-fetch.ts';
import { listen } from '../../../given/loopback.ts';
import { selfSigned } from '../../../given/self-signed.ts';
import { channelOf, mailChannel, memoryNotifications } from '../given.ts';
import { startSmtpServer } from '../smtp-server.ts';

const loopback = [{ kind: 'network' as const, address: '127.0.0.0', prefix: 8 }];
const now = Date.parse('2026-11-23T10:00:00.000Z');

async function startReceiver(statusOf: (request: IncomingMessage) => number = () => 200) {
  const received: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      const status = statusOf(request);
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {});
      response.end('the answer quotes hook-secret-77');
    });
  });
  const port = await listen(server);
  return { received, url: `http://127.0.0.1:${port}/services/hook-secret-77` };
}

function givenParts(
  channels: readonly NotificationSettings[],
  { env = {}, ...parts }: Partial<DeliverParts> = {},
) {
  const hidden: string[] = [];
  const notifications = memoryNotifications();
  const http = createGuardedHttp({ allowed: parts.allow ?? loopback, env: {} });
  onTestFinished(() => http.close());
  const whole: DeliverParts = {
    settings: { notifications: channels, url: 'https://rampart.example.com' },
    store: { notifications },
    env,
    folder: '/nowhere',
    hide: (secrets) => hidden.push(...secrets),
    allow: loopback,
    http,
    now: () => now,
    ...parts,
  };
  return { parts: whole, notifications, hidden };
}

const drift = (channel: string, account = 'berlin') => ({
  channel,
  kind: 'drifted',
  account,
  topic: 'drifted k1',
  facts: { title: 'Hosts differ', hosts: 2 },
  delayMs: 0,
});

describe('the delivery of notifications', () => {
  it('sends everything that is due for a channel as one signed message', async () => {
    const { received, url } = await startReceiver();
    const channel = channelOf('ops', { secret: { kind: 'variable', variable: 'HOOK_KEY' } });
    const { parts, notifications, hidden } = givenParts([channel], {
      env: { HOOK_URL: url, HOOK_KEY: 'k-55' },
    });
    await notifications.enqueue([drift('ops'), drift('ops', 'austin'), drift('other')]);
    expect(await deliver('ops', parts)).toBe(false);
    expect(received).toHaveLength(1);
    const [message] = received;
    const stamp = String(message?.headers['x-rampart-timestamp']);
    expect(message?.headers['x-rampart-signature']).toBe(
      `sha256=${createHmac('sha256', 'k-55').update(`${stamp}.${message?.body}`).digest('hex')}`,
    );
    expect(message?.body).toContain('Accounts: berlin, austin');
    expect(hidden).toEqual([new URL(url).pathname.slice(1), 'k-55']);
    expect([...notifications.rows.values()].map(({ state }) => state)).toEqual(['sent', 'sent', 'pending']);
    expect(await deliver('ops', parts)).toBe(false);
    expect(received).toHaveLength(1);
  });
  for (const kind of ['slack', 'teams'] as const) {
    it(`sends the format of ${kind}`, async () => {
      const { received, url } = await startReceiver();
      const { parts, notifications } = givenParts([channelOf('ops', { kind })], { env: { HOOK_URL: url } });
      await notifications.enqueue([drift('ops')]);
      await deliver('ops', parts);
      expect(Object.keys(JSON.parse(received[0]?.body ?? '{}') as object)).toContain(
        kind === 'slack' ? 'blocks' : 'attachments',
      );
      expect(received[0]?.headers).not.toHaveProperty('x-rampart-signature');
    });
  }
  it('sends the same delivery id again after a failure, and never the address in a problem', async () => {
    let status = 500;
    const { received, url } = await startReceiver(() => status);
    const { parts, notifications } = givenParts([channelOf('ops')], { env: { HOOK_URL: url } });
    await notifications.enqueue([drift('ops')]);
    await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({
      state: 'pending',
      attempts: 1,
      retryMs: 30_000,
      problem: 'the receiver of the notification "ops" answers 500',
    });
    status = 200;
    await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({ state: 'sent' });
    await notifications.enqueue([drift('ops')]);
    await deliver('ops', parts);
    const ids = received.map(({ headers }) => headers['x-rampart-delivery']);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
  it('keeps a message after a redirect, which it does not follow', async () => {
    const { url } = await startReceiver(() => 302);
    const { parts, notifications } = givenParts([channelOf('ops')], { env: { HOOK_URL: url } });
    await notifications.enqueue([drift('ops')]);
    await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({
      state: 'pending',
      problem: expect.stringMatching(/answers 302, which is a redirect and is not followed$/),
    });
  });
  it('gives up a message after the last attempt', async () => {
    const { url } = await startReceiver(() => 500);
    const heard: (number | null)[] = [];
    const { parts, notifications } = givenParts([channelOf('ops')], {
      env: { HOOK_URL: url },
      onFailure: (_, retryMs) => void heard.push(retryMs),
    });
    await notifications.enqueue([drift('ops')]);
    for (let at = 0; at < 12; at += 1) await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({ state: 'dead', attempts: 12 });
    expect(heard).toHaveLength(12);
    expect(heard.map((each) => each === null)).toEqual(heard.map((_, at) => at === 11));
  });
  it('tries messages together as soon as the newest of them is due', async () => {
    const { url } = await startReceiver(() => 500);
    const { parts, notifications } = givenParts([channelOf('ops')], { env: { HOOK_URL: url } });
    await notifications.enqueue([drift('ops')]);
    await deliver('ops', parts);
    await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({ attempts: 2, retryMs: 60_000 });
    await notifications.enqueue([drift('ops', 'austin')]);
    await deliver('ops', parts);
    for (const id of ['1', '2'])
      expect(notifications.rows.get(id)).toMatchObject({ state: 'pending', retryMs: 30_000 });
  });
  it('reaches this machine and private networks only if the operator allows them', async () => {
    const { received, url } = await startReceiver();
    for (const address of [url, 'https://169.254.169.254/latest', 'https://10.0.0.1/']) {
      const { parts, notifications } = givenParts([channelOf('ops')], {
        env: { HOOK_URL: address },
        allow: [],
      });
      await notifications.enqueue([drift('ops')]);
      await deliver('ops', parts);
      expect(notifications.rows.get('1')?.problem).toContain('is refused');
    }
    expect(received).toEqual([]);
  });
  it('gives up messages for a channel that is no longer configured, and reports a missing address', async () => {
    const { parts, notifications } = givenParts([channelOf('ops')]);
    await notifications.enqueue([drift('gone'), drift('ops')]);
    expect(await deliver('gone', parts)).toBe(true);
    expect(notifications.rows.get('1')).toMatchObject({ state: 'dead' });
    await deliver('ops', parts);
    expect(notifications.rows.get('2')?.problem).toContain('the variable HOOK_URL is empty');
  });
  it('leaves messages to another worker if this one stops', async () => {
    const stop = new AbortController();
    stop.abort();
    const { url } = await startReceiver();
    const { parts, notifications } = givenParts([channelOf('ops')], {
      env: { HOOK_URL: url },
      signal: stop.signal,
    });
    await notifications.enqueue([drift('ops')]);
    await deliver('ops', parts);
    expect(notifications.rows.get('1')).toMatchObject({ state: 'pending', problem: null });
  });
  it('sends a test message at once', async () => {
    const { received, url } = await startReceiver();
    const { parts } = givenParts([channelOf('ops')], { env: { HOOK_URL: url } });
    expect(await sendTest('ops', parts)).toMatchObject({
      ok: true,
      value: 'the webhook of "ops" accepted the message',
    });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      notices: [{ kind: 'recovered', heading: 'This is a test message' }],
    });
    expect(await sendTest('gone', parts)).toMatchObject({ ok: false, problems: [{ code: 'configuration' }] });
  });
});

describe('notifications by email', () => {
  it('go to the recipients of the settings only, as plain text', async () => {
    const smtp = await startSmtpServer();
    const { parts, notifications } = givenParts([mailChannel(smtp.port)]);
    const facts = {
      title: 'Hosts differ\r\nBcc: thief@evil.example',
      lines: ['.', 'a\r\n.\r\nRCPT TO:<thief@evil.example>'],
    };
    await notifications.enqueue([{ ...drift('mail'), facts }]);
    await deliver('mail', parts);
    expect(smtp.mails).toHaveLength(1);
    const [mail] = smtp.mails;
    expect(mail?.from).toBe('rampart@example.com');
    expect(mail?.to).toEqual(['ops@example.com', 'night@example.com']);
    const [head = ''] = mail?.data.split('\n\n') ?? [];
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m);
    expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
    expect(smtp.commands.filter((line) => line.startsWith('RCPT'))).toHaveLength(2);
    expect(notifications.rows.get('1')?.state).toBe('sent');
  });
  it('log in over STARTTLS with a password that is read when the mail is sent', async () => {
    const { key, cert } = selfSigned();
    const smtp = await startSmtpServer({ tls: { key, cert }, login: { user: 'rampart', password: 'pw-91' } });
    const channel = mailChannel(smtp.port, {
      security: 'starttls',
      user: 'rampart',
      password: { kind: 'variable', variable: 'SMTP_PASSWORD' },
    });
    const { parts, hidden } = givenParts([channel], { env: { SMTP_PASSWORD: 'pw-91' }, tls: { ca: cert } });
    expect(await sendTest('mail', parts)).toMatchObject({
      ok: true,
      value: 'the mail server 127.0.0.1 accepted the message for ops@example.com, night@example.com',
    });
    expect(smtp.mails).toHaveLength(1);
    expect(hidden).toEqual(['pw-91']);
    const wrong = givenParts([channel], { env: { SMTP_PASSWORD: 'pw-92' }, tls: { ca: cert } });
    const refused = await sendTest('mail', wrong.parts);
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'not-authenticated' }] });
    expect(JSON.stringify(refused)).not.toContain('pw-92');
  });
  it('reach private networks only if the operator allows them', async () => {
    const { parts } = givenParts([mailChannel(1, {})], { allow: [] });
    expect(await sendTest('mail', parts)).toMatchObject({ problems: [{ code: 'unpinned-origin' }] });
  });
  it('report a recipient that the server refuses, and are not sent to the others again', async () => {
    const smtp = await startSmtpServer({ recipients: { 'night@example.com': '550 no such user' } });
    const failures: [string, number | null][] = [];
    const onFailure = (...failure: [string, number | null]) => void failures.push(failure);
    const { parts, notifications } = givenParts([mailChannel(smtp.port)], { onFailure });
    await notifications.enqueue([drift('mail')]);
    await deliver('mail', parts);
    const message = 'the mail server 127.0.0.1 refuses the recipients night@example.com';
    expect([notifications.rows.get('1')?.state, smtp.mails.length]).toEqual(['sent', 1]);
    expect(failures).toEqual([[message, null]]);
    expect(await sendTest('mail', parts)).toMatchObject({
      ok: false,
      problems: [{ code: 'bad-request', message }],
    });
  });
});
