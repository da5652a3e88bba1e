import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { authorizationOf, type Credentials, secretsOf } from '../../../src/service/client/credentials.ts';
import { createSecretGuard } from '../../../src/service/client/secret-guard.ts';
import { actions } from '../../../src/service/contract/api.ts';
import { TransportError } from '../../../src/service/contract/message.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const psk = 'Kx9/+q"T<z&7\'v=é r'.repeat(3);
const allCredentials: readonly Credentials[] = [
  { kind: 'basic', companyId: '1234567890', psk },
  { kind: 'json', companyId: '1234567890', psk },
  { kind: 'session', sessionId: psk, profileId: '42' },
  { kind: 'basic', companyId: '1234567890', psk: '0123456789abcdef'.repeat(8) },
];

const html = (text: string) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');

/** What a careless service may make of a text that it echoes. */
const echoes: Readonly<Record<string, (text: string) => string>> = {
  asItIs: (text) => text,
  inJson: (text) => JSON.stringify({ message: `bad header ${text}`, hostIds: [5] }),
  inJsonTwice: (text) => JSON.stringify({ message: JSON.stringify({ header: text }) }),
  inBrokenJson: (text) => JSON.stringify({ message: text }).slice(0, -1),
  inJsonWithEscapedSlashes: (text) => `{"message":${JSON.stringify(text).replaceAll('/', '\\/')}`,
  inHtml: (text) => `<html><body><pre>authorization: ${html(text)}</pre></body></html>`,
  inCarelessHtml: (text) => `<p>${text}</p>`,
  behindManyTags: (text) => `${'<i>'.repeat(5_455)}${text}`,
  inATitle: (text) => `<title>${html(text)}</title>`,
  inAUrl: (text) => encodeURIComponent(text),
  inAForm: (text) => new URLSearchParams({ text }).toString(),
  upperCase: (text) => text.toUpperCase(),
  withoutPadding: (text) => text.replace(/=+$/, ''),
  atTheCut: (text) => 'x'.repeat(256 * 1024 - 60) + text,
  manyTimesUpToTheCut: (text) => `${text} `.repeat(Math.ceil((300 * 1024) / text.length)),
  behindAPrefix: (text) => `)]}',\n${JSON.stringify({ message: text })}`,
};

/** Nothing of eight characters of a secret may be left, in any letter case. */
function expectNoSecret(output: string, credentials: Credentials): void {
  const shown = output.toLowerCase();
  for (const secret of secretsOf(credentials)) {
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      html(secret),
    ]) {
      const folded = form.toLowerCase();
      for (let at = 0; at + 8 <= folded.length; at += 1) {
        if (shown.includes(folded.slice(at, at + 8)))
          expect.fail(`${folded.slice(at, at + 8)} in ${output.slice(0, 900)}`);
      }
    }
  }
}

describe.each(allCredentials)('nothing that the client returns contains a secret of $kind', (credentials) => {
  it.each(Object.entries(echoes))('if the service echoes it %s', async (_, echo) => {
    const echoed =
      echo(authorizationOf(credentials)) +
      echo(credentials.kind === 'session' ? credentials.sessionId : credentials.psk);
    const header = echo(authorizationOf(credentials));
    const turns: readonly Turn[] = [
      ...[200, 201, 302, 400, 401, 404, 429, 503].flatMap((status) =>
        [header, echoed].map((body) =>
          answer(status, body, {
            location: `https://x.example/?${header}`,
            'retry-after': header,
            date: header,
          }),
        ),
      ),
      new TransportError(`invalid header ${header}`, 'not-sent'),
      new TransportError(`invalid header ${header}`, 'reply-lost', { timedOut: true }),
      new Error(header),
      () => Promise.reject(header),
    ];
    for (const turn of turns) {
      const { client, events } = scriptedService([turn], { credentials, retries: 0, maxWaitMs: 0 });
      for (const action of ['listHosts', 'deleteHosts', 'checkAuthentication'] as const) {
        const body = action === 'deleteHosts' ? { hostIds: ['5'] } : undefined;
        const result = await client.call(action, (body === undefined ? {} : { body }) as never);
        expectNoSecret(JSON.stringify([result, events]), credentials);
      }
    }
  });

  it('if every action fails before it is sent', async () => {
    for (const action of actions) {
      const { client, events } = scriptedService([answer(500)], { credentials });
      const result = await client.call(action, { path: { 'host-id': psk }, body: { wrong: true } } as never, {
        signal: AbortSignal.abort(),
      });
      expectNoSecret(JSON.stringify([result, events]), credentials);
    }
  });

  it("if the body's keys and values violate the schema", async () => {
    const header = authorizationOf(credentials);
    const body = { report: { token: null, expires: null }, hosts: { [header]: { serviceTag: [header] } } };
    const { client, events } = scriptedService([answer(200, body)], { credentials });
    const result = await client.call('readHardwareReport', { path: { 'report-token': 't' } });
    expect(result.ok).toBe(false);
    expectNoSecret(JSON.stringify([result, events]), credentials);
  });
});

describe('the redaction', () => {
  const layers = ['asItIs', 'inJson', 'inAUrl', 'inHtml', 'inAForm'] as const;
  it('finds every secret in every echo of it, and in echoes of echoes', () =>
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.array(fc.constantFrom(...layers), { maxLength: 2 }),
        (middle, echo) => {
          const secret = `Abcd${middle}9876`;
          const echoed = echo.reduce((text, layer) => echoes[layer]?.(text) ?? text, secret);
          expect(createSecretGuard([secret])(`before ${echoed} after`)).toBe(true);
        },
      ),
    ));

  it.each([
    [['secret'], 'the Secret and s-e-c-r-e-t', false],
    [['secret'], 'the secret', true],
    [['long-secret'], 'the LONG secret', true],
    [['long-secret'], 'the long secre', false],
    [[], 'anything', false],
    [[''], 'anything', false],
  ])('of %j reports of %j: %j', (secrets, text, held) => expect(createSecretGuard(secrets)(text)).toBe(held));

  it('makes the client report that it withholds a text, and show the rest', async () => {
    const { client } = scriptedService([answer(401, { message: 'wrong PSK correct horse' })]);
    expect(await client.call('listHosts')).toMatchObject({
      failure: {
        problem: {
          message:
            '"List the hosts" returned 401 (credentials are absent or invalid): (withheld because it repeats the credentials)',
        },
      },
    });
  });
});
