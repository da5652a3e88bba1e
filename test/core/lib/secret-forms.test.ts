import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../src/core/lib/redaction.ts';
import { secretForms } from '../../../src/core/lib/secret-forms.ts';

/** The ways in which a request carries a secret. */
const sent: Readonly<Record<string, (user: string, secret: string) => string>> = {
  'a header with a token': (_, secret) => `Authorization: Bearer ${secret}`,
  'a header with a user': (user, secret) => `Authorization: Basic ${base64(`${user}:${secret}`, 'base64')}`,
  'a header of an OIDC client': (user, secret) =>
    `Authorization: Basic ${base64([user, secret].map(formOf).join(':'), 'base64')}`,
  'base64 of the secret alone': (_, secret) => base64(secret, 'base64'),
  'base64url with more behind it': (user, secret) => base64(`${user}:${secret}${user}`, 'base64url'),
  'JSON in a body': (user, secret) => JSON.stringify({ user, secret }),
  'JSON in a header': (_, secret) =>
    JSON.stringify(secret).replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  'an address': (user, secret) =>
    `https://${encodeURIComponent(user)}:${encodeURIComponent(secret)}@git.example.com/`,
  'a form': (user, secret) => new URLSearchParams({ user, secret }).toString(),
  'JSON with escaped slashes': (user, secret) => JSON.stringify({ user, secret }).replaceAll('/', '\\/'),
  'JSON in a line of a log, which is JSON': (user, secret) =>
    JSON.stringify({ message: `the service answered ${JSON.stringify({ user, secret })}` }),
  'JSON in an address': (user, secret) =>
    `https://git.example.com/?body=${encodeURIComponent(JSON.stringify({ user, secret }))}`,
  'an address with lowercase digits': (_, secret) =>
    encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  'an address that escapes every mark': (_, secret) =>
    Array.from(new TextEncoder().encode(secret), (byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${hexOf([byte]).toUpperCase()}`,
    ).join(''),
  'hexadecimal digits': (_, secret) => hexOf(new TextEncoder().encode(secret)),
  'uppercase hexadecimal digits': (user, secret) =>
    hexOf(new TextEncoder().encode(user + secret)).toUpperCase(),
};

function hexOf(bytes: Iterable<number>): string {
  return Buffer.from([...bytes]).toString('hex');
}

function base64(text: string, encoding: 'base64' | 'base64url'): string {
  return Buffer.from(text, 'utf8').toString(encoding);
}

function formOf(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

const escape = '\u001b\\[';
const color = new RegExp(`${escape}\\d+m`, 'g');
const user = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', '.'), maxLength: 12 });
const letters =
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/= %"\\ß漢😀'.match(/./gu) ?? [];
const secret = fc.string({ unit: fc.constantFrom(...letters), minLength: 16, maxLength: 90 });

describe('a secret that somebody sends back', () => {
  it.each(Object.entries(sent))('is hidden in %s', (_, write) => {
    fc.assert(
      fc.property(user, secret, (name, word) => {
        const { hide, redact } = createRedaction();
        hide([word]);
        const text = write(name, word);
        const carried = [...secretForms(word)].filter((form) => text.includes(form));
        expect(carried.length).toBeGreaterThan(0);
        const shown = redact(`before ${text} after`);
        expect(shown).toContain('[secret]');
        for (const form of carried) expect(shown).not.toContain(form);
        expect(shown).toMatch(/^before /);
      }),
    );
  });

  it('is hidden after any user name, except for the bits that it shares with its neighbors', () => {
    const word = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    const { hide, redact } = createRedaction();
    hide([word]);
    for (const name of ['', 'x', 'ab', 'x-access-token', 'oauth2']) {
      const header = base64(`${name}:${word}`, 'base64');
      const [, before = '', after = ''] = /^(.*)\[secret\](.*)$/.exec(redact(header)) ?? [];
      expect(Buffer.from(before, 'base64').toString('latin1')).not.toContain(word.slice(0, 1));
      expect(after.length, header).toBeLessThanOrEqual(4);
    }
  });

  it('leaves other base64 as it is', () => {
    const { hide, redact } = createRedaction();
    hide(['ghp_16C7e42F292c6912E7710c838347Ae178B4a']);
    const other = base64('x-access-token:ghp_another-token-of-somebody-else', 'base64');
    expect(redact(other)).toBe(other);
  });

  it.each([
    ['hunter22', 'Kp9-long-preshared-hunter22-key'],
    ['hunter2', 'my-hunter2-key'],
  ])('is hidden as a whole if another secret, such as "%s", is a part of it', (part, whole) => {
    for (const secrets of [
      [part, whole],
      [whole, part],
    ]) {
      const { hide, redact } = createRedaction();
      hide(secrets);
      expect(redact(`key=${whole}; password=${part}`)).toBe('key=[secret]; password=[secret]');
    }
  });

  it('may be empty or impossible to encode', () => {
    expect(() => [secretForms(''), secretForms('\ud800 and more')]).not.toThrow();
  });
});

describe('a secret in text for a terminal', () => {
  const word = fc.string({ unit: fc.constantFrom(...letters, '\t', '"'), minLength: 16, maxLength: 90 });
  const colors = ['\u001b[1m', '\u001b[22m', '\u001b[31m'];

  it('is hidden if line breaks split it anywhere, and its colors are kept', () => {
    const breaks = fc.array(fc.tuple(fc.nat(200), fc.constantFrom('\n', '\r\n   ', ' ', ...colors)), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(word, breaks, (secret, given) => {
        fc.pre(secret.replace(/\s/g, '').length >= 16);
        const { hide, redactLines } = createRedaction();
        hide([secret]);
        let text = secret;
        for (const [at, gap] of given) {
          const place = at % (text.length + 1);
          if (!isWithinColor(text, place)) text = text.slice(0, place) + gap + text.slice(place);
        }
        // No secret has these signs: a secret of nothing but "a" would go on in a word that begins with it.
        const shown = redactLines(`before:\n  ${text}\n  ;after`);
        const colorsOf = (of: string) => of.match(color) ?? [];
        expect(colorsOf(shown)).toEqual(colorsOf(text));
        expect(shown.replace(color, '').replace(/\s+/g, ' ')).toMatch(/^before: ?.?\[secret\] ?;after$/);
      }),
    );
  });

  it.each([
    ['a long one with blanks', 'correct horse battery staple', 'correct horse\n  battery staple'],
    ['the beginning of it', 'correct horse battery staple', 'correct horse\n  battery\u001b[0m'],
    ['a short one', 'a b c d e f', 'a b c\n     d e f'],
    ['one with more blanks than letters', 'a b c d e f g h i j', 'a b c d e\n f g h i j'],
    [
      'base64 in lines',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      'Z2hwXzE2QzdlNDJGMjky\nYzY5MTJFNzcxMGM4Mzgz\n',
    ],
  ])('is hidden: %s', (_, secret, text) => {
    const { hide, redactLines } = createRedaction();
    hide([secret]);
    const shown = redactLines(`error: the key "${text}" is wrong`);
    expect(shown.replace(color, '')).toMatch(/^error: the key "\[secret\].{0,2}\s*" is wrong$/);
    expect(shown.includes('\u001b[0m')).toBe(text.includes('\u001b[0m'));
  });

  it('leaves all other text as it is', () => {
    const { hide, redactLines } = createRedaction();
    const text = 'error:\n   \u001b[1mthe key\u001b[22m of\tberlin is wrong\n';
    expect(redactLines(text)).toBe(text);
    hide(['ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'brief-one']);
    expect(redactLines(text)).toBe(text);
  });
});

function isWithinColor(text: string, at: number): boolean {
  return [...text.matchAll(color)].some(({ index, 0: code }) => at > index && at < index + code.length);
}
