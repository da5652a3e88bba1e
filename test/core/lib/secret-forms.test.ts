import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../src/control/engine/redaction.ts';
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
};

function base64(text: string, encoding: 'base64' | 'base64url'): string {
  return Buffer.from(text, 'utf8').toString(encoding);
}

function formOf(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

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

  it('is hidden with any user in front, except for the bits that it shares with its neighbors', () => {
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

  it('may be empty, or no text that can be encoded', () => {
    expect(() => [secretForms(''), secretForms('\ud800 and more')]).not.toThrow();
  });
});
