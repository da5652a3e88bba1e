import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeKey, withoutKeys, withoutSecretValues } from '../../../src/core/lib/typed-secrets.ts';

describe('a line of a file that an error shows', () => {
  it.each([
    ['psk: abc123', 'psk: ••••••'],
    ['account: { companyId: 1, psk: "abc123" }', 'account: { companyId: 1, psk: •••••••• •'],
    ['psk: "correct horse, battery"', 'psk: •••••••• •••••• ••••••••'],
    ['psk: a,b}c', 'psk: •••••'],
    ['{"password":"a b"}', '{"password":•• •••'],
    ["apiKey: 'abc', token = x, name: y", 'apiKey: •••••• ••••• • •• ••••• •'],
    ['key: host.inventory.hardware.serviceTag', 'key: host.inventory.hardware.serviceTag'],
    ['tokenFile: secrets/token', 'tokenFile: secrets/token'],
    ['name: SECRET-01', 'name: SECRET-01'],
  ])('%s is shown as %s', (line, shown) => {
    expect(withoutSecretValues(line)).toBe(shown);
  });

  it('keeps its length, so that the caret below it still points at the right column', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const line = `psk: ${value}`;
        expect(withoutSecretValues(line)).toHaveLength(line.length);
      }),
    );
  });
});

describe('the path of a key file', () => {
  it.each([
    ['a key of 128 characters', 'aB3-'.repeat(32), true],
    ['a key in base64', `${'aB3/'.repeat(31)}aB==`, true],
    ['a long path', `/run/secrets/${'a'.repeat(120)}`, false],
    ['a long name with an ending', `${'a'.repeat(120)}.key`, false],
    ['a short name', 'rampart_psk', false],
  ])('%s', (_, text, isKey) => {
    expect(looksLikeKey(text)).toBe(isKey);
  });
});

describe('a message about words of a command line', () => {
  const key = 'aB3-'.repeat(32);
  it.each([
    ['a key', `takes no argument "${key}"`, 'takes no argument "…"'],
    ['the beginning of a key', `no command "${key.slice(0, 80)}…"`, 'no command "…"'],
    ['a word beside the key', `not "${key}" of plan`, 'not "…" of plan'],
  ])('does not show %s', (_, message, shown) => {
    expect(withoutKeys(message, ['plan', key])).toBe(shown);
  });

  it('shows all other words', () => {
    const path = `${'a'.repeat(120)}.key`;
    expect(withoutKeys(`no file ${path}`, ['plan', path])).toBe(`no file ${path}`);
  });
});
