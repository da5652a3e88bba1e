import { describe, expect, it, vi } from 'vitest';
import { sendMail } from '../../../../src/server/notifications/rules/send-mail.ts';
import type { SendParts } from '../../../../src/server/notifications/rules/send-parts.ts';
import { selfSigned } from '../../../given/self-signed.ts';
import { mailChannel } from '../given.ts';
import { type SmtpOptions, startSmtpServer } from '../smtp-server.ts';

const mail = { subject: 'Hosts differ', text: 'berlin\n' };
const loopback = { kind: 'network', address: '127.0.0.0', prefix: 8 } as const;
const password = { kind: 'variable', variable: 'SMTP_PASSWORD' } as const;
const { key, cert } = selfSigned();

const usual: SendParts = {
  env: { SMTP_PASSWORD: 'pw-91' },
  folder: '/nowhere',
  hide: () => {},
  allow: [loopback],
  http: {} as never,
  now: () => 0,
};

type Smtp = Parameters<typeof mailChannel>[1];

async function send(
  server: SmtpOptions,
  smtp: Smtp = {},
  { subject, text, ...parts }: Partial<SendParts & typeof mail> = {},
) {
  const { port, ...seen } = await startSmtpServer(server);
  const sent = await sendMail(
    mailChannel(port, smtp),
    { subject: subject ?? mail.subject, text: text ?? mail.text },
    'd-1',
    { ...usual, ...parts },
  );
  return { sent, ...seen };
}

/** The headers of a mail by their names, without folds, and its content. */
function read(data = '') {
  const end = data.indexOf('\n\n');
  const lines = data
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return { headers, content: data.slice(end + 2), head: data.slice(0, end) };
}

describe('what a mail server sees', () => {
  it('is one mail to each recipient of the settings, marked as automatic', async () => {
    const { sent, mails, commands } = await send({});
    expect(sent).toMatchObject({ ok: true, value: null });
    expect(mails).toMatchObject([
      { from: 'rampart@example.com', to: ['ops@example.com', 'night@example.com'] },
    ]);
    const { headers, content } = read(mails[0]?.data);
    expect(headers).toEqual({
      From: 'Rampart <rampart@example.com>',
      To: 'ops@example.com, night@example.com',
      Subject: 'Hosts differ',
      'Message-ID': '<d-1@rampart.invalid>',
      'Auto-Submitted': 'auto-generated',
      Date: expect.any(String),
      'MIME-Version': '1.0',
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Transfer-Encoding': '7bit',
    });
    expect(content).toBe('berlin\n');
    expect(commands.filter((line) => /^(?:AUTH|STARTTLS)/.test(line))).toEqual([]);
  });

  it('is ASCII in short lines, for any host names', async () => {
    const subject = `Zoë's ${'büro '.repeat(40)}\u{1F4A3}`;
    const text = `Zoë \u{1F4A3} ${'long'.repeat(500)}\n.\n.. two\n`;
    const { mails } = await send({}, {}, { subject, text });
    const { head, headers, content } = read(mails[0]?.data);
    expect(mails[0]?.data).toMatch(/^[\n\x20-\x7e]*$/);
    expect(Math.max(...(mails[0]?.data ?? '').split('\n').map(({ length }) => length))).toBeLessThan(80);
    expect(head).toContain('=?UTF-8?');
    const words = [...(headers['Subject'] ?? '').matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/g)];
    const decoded = words.map(([, form, word = '']) =>
      form === 'B' ? Buffer.from(word, 'base64') : quotedPrintable(word.replaceAll('_', ' ')),
    );
    expect(Buffer.concat(decoded).toString()).toBe(subject);
    const body =
      headers['Content-Transfer-Encoding'] === 'base64'
        ? Buffer.from(content, 'base64')
        : quotedPrintable(content.replaceAll(/=\n/g, ''));
    expect(body.toString().replaceAll('\r\n', '\n').replaceAll('\n..', '\n.')).toContain(
      'Zoë \u{1F4A3} longlong',
    );
  });

  it('never contains a file or an address in place of its text', async () => {
    const { mails } = await send({}, {}, { text: '/etc/hostname\n' });
    expect(read(mails[0]?.data).content).toBe('/etc/hostname\n');
  });

  it('is a login only with a user and a password', async () => {
    const login = { user: 'rampart', password: 'pw-91' };
    const loginsOf = async (smtp: Smtp) => {
      const { sent, commands } = await send({ login }, smtp);
      return [sent.ok, commands.filter((line) => line.startsWith('AUTH')).length];
    };
    expect(await loginsOf({ user: 'rampart', password })).toEqual([true, 1]);
    expect(await loginsOf({ user: 'other', password })).toEqual([false, 1]);
    expect(await loginsOf({ user: 'rampart' })).toEqual([true, 0]);
    expect(await loginsOf({ password })).toEqual([true, 0]);
  });

  it('prints nothing', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    await send({ recipients: '550 no' });
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );
}

describe('the TLS of a mail', () => {
  const offered = { tls: { key, cert } };
  const implicit = { tls: { key, cert, isImplicit: true } };
  const trusted = { tls: { ca: cert } };

  it.each([
    ['none', 'nothing', {}, 'plain'],
    ['none', 'STARTTLS', offered, 'plain'],
    ['starttls', 'nothing', {}, 'insecure-url'],
    ['starttls', 'STARTTLS', offered, 'STARTTLS'],
    ['tls', 'TLS', implicit, 'TLS'],
    ['tls', 'STARTTLS', offered, 'insecure-url'],
  ] as const)('with security %s from a server that offers %s', async (security, _offer, server, expected) => {
    const { sent, mails, commands } = await send(server, { security }, trusted);
    const way = commands.includes('STARTTLS') ? 'STARTTLS' : security === 'tls' ? 'TLS' : 'plain';
    if (expected === 'insecure-url') {
      expect(sent).toMatchObject({ ok: false, problems: [{ code: expected }] });
      expect(commands.filter((line) => line.startsWith('MAIL'))).toEqual([]);
    } else expect([sent.ok, mails.length, way]).toEqual([true, 1, expected]);
  });

  it.each([
    ['starttls', offered],
    ['tls', implicit],
  ] as const)('is refused with %s if the certificate is not trusted', async (security, server) => {
    const { sent, mails } = await send(server, { security });
    expect(sent).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'insecure-url',
          message: 'the mail server 127.0.0.1 offers no valid TLS (DEPTH_ZERO_SELF_SIGNED_CERT)',
          hint: expect.stringContaining('certificate') as string,
        },
      ],
    });
    expect(mails).toEqual([]);
  });

  it.each(['starttls', 'tls'] as const)(
    'checks the name of the server with %s, not its address',
    async (security) => {
      const own = selfSigned(['localhost']);
      const isImplicit = security === 'tls';
      const allow = [{ kind: 'host', host: 'localhost' }] as const;
      const at = { host: 'localhost', security };
      const sendTo = async (pair: typeof own) =>
        (
          await send({ host: 'localhost', tls: { ...pair, isImplicit } }, at, {
            allow,
            tls: { ca: pair.cert },
          })
        ).sent;
      expect((await sendTo(own)).ok).toBe(true);
      expect(await sendTo({ key, cert })).toMatchObject({
        problems: [
          { message: 'the mail server localhost offers no valid TLS (ERR_TLS_CERT_ALTNAME_INVALID)' },
        ],
      });
    },
  );
});

describe('a mail that is not sent', () => {
  const login = { user: 'rampart', password: 'pw-90' };

  it.each([
    ['not-authenticated', 'refuses the login (answer 535)', { login }, { user: 'rampart', password }],
    ['bad-request', 'refuses the message (answer 550)', { recipients: '550 no such user' }, {}],
    ['bad-request', 'refuses the message (answer 554)', { content: '554 spam' }, {}],
    ['network', "can't be reached (EPROTOCOL)", { greeting: '554 go away' }, {}],
  ] as const)('reports %s: %s', async (code, words, server, smtp) => {
    const { sent } = await send(server, smtp);
    expect(sent).toMatchObject({ ok: false, problems: [{ code }] });
    const [problem] = sent.ok ? [] : sent.problems;
    expect(problem?.message).toBe(`the mail server 127.0.0.1 ${words}`);
    expect(problem?.hint).toMatch(/^check the /);
    expect(JSON.stringify(sent)).not.toMatch(/pw-9|spam|go away|such user/);
  });

  it('reports why nobody responds', async () => {
    expect(await sendMail(mailChannel(1), mail, 'd-1', usual)).toMatchObject({
      problems: [{ code: 'network', message: "the mail server 127.0.0.1 can't be reached (ECONNREFUSED)" }],
    });
  });

  it.each([
    ['10.1.2.3', 'insecure-url'],
    ['127.0.0.1', 'network'],
    ['::1', 'network'],
  ])('without TLS goes only to this machine: %s', async (host, code) => {
    const allow = [
      loopback,
      { kind: 'network', address: '10.0.0.0', prefix: 8 },
      { kind: 'host', host },
    ] as const;
    const { sent } = await send({ greeting: '554 go away' }, { host, port: 1 }, { allow });
    expect(sent).toMatchObject({ ok: false, problems: [{ code }] });
  });

  it('ends at once when the worker stops, even if the server says nothing', async () => {
    const stop = new AbortController();
    const { port, open } = await startSmtpServer({ greeting: null });
    const sending = sendMail(mailChannel(port), mail, 'd-1', { ...usual, signal: stop.signal });
    await vi.waitFor(() => expect(open.size).toBe(1), { timeout: 15_000 });
    stop.abort();
    expect(await sending).toMatchObject({
      problems: [{ code: 'network', message: "the mail server 127.0.0.1 can't be reached (EABORT)" }],
    });
    await vi.waitFor(() => expect(open.size).toBe(0), { timeout: 15_000 });
  });
});
