import { describe, expect, it } from 'vitest';
import { parseConfigText } from '../../../src/accounts/config/config-reading.ts';
import { accountSettings } from '../../../src/accounts/config/read-account.ts';
import { keySource } from '../../../src/accounts/config/read-key-source.ts';
import type { Setting } from '../../../src/accounts/config/setting.ts';

function read<T>(setting: Setting<T>, text: string, what: string) {
  const parsed = parseConfigText('rampart.config.yaml', text);
  if (!parsed.ok) throw new Error('the test has invalid YAML');
  const { reading, root } = parsed.value;
  const value = setting.read(reading, { value: root }, what);
  const problems = reading.problems
    .all()
    .map(({ place, message }) => `${place?.line}:${place?.col} ${message}`);
  return { value, problems };
}

const key = (text: string) =>
  read(
    keySource((given) => given.replaceAll('{NAME}', 'BERLIN')),
    text,
    '"key"',
  );

describe('the location of a key', () => {
  it.each([
    ['variable: "{NAME}_PSK"', { kind: 'variable', variable: 'BERLIN_PSK' }],
    ['file: keys/{NAME}', { kind: 'file', file: 'keys/BERLIN' }],
    ['command: [op, read, "{NAME}"]', { kind: 'command', command: ['op', 'read', 'BERLIN'] }],
    [
      'sessionIdVariable: A_SESSION_ID\nprofileIdVariable: A_PROFILE_ID',
      { kind: 'session', sessionIdVariable: 'A_SESSION_ID', profileIdVariable: 'A_PROFILE_ID' },
    ],
    [
      'vault: { address: "https://v.example.com", path: "/a/{NAME}/", login: { tokenFile: t } }',
      {
        kind: 'vault',
        vault: {
          address: 'https://v.example.com',
          mount: 'secret',
          path: 'a/BERLIN',
          field: 'psk',
          login: { kind: 'token-file', file: 't' },
        },
      },
    ],
  ])('is read from %s', (text, expected) => expect(key(text)).toEqual({ value: expected, problems: [] }));

  it.each([
    ['varible: BERLIN_PSK', ['1:1 unknown key "varible"']],
    ['{}', ['1:1 "key" must name exactly one location']],
    ['file: a\nvariable: BERLIN_PSK', ['1:1 "key" must name exactly one location']],
    ['file: a\nsessionIdVariable: A_SESSION_ID', ['1:1 "key" must name exactly one location']],
    [
      'variable: PATH',
      ['1:11 this must be the name of an environment variable: RAMPART_PSK, or end with _PSK'],
    ],
    ['command: op read', ['1:10 "command" must be a list: a program and its arguments']],
    ['vault: { address: a, login: { tokenFile: t } }', ['1:10 "vault" needs "path"']],
    [
      'vault: { address: a, path: a/../b, login: { tokenFile: t } }',
      ['1:28 "path" must be a path such as rampart/berlin'],
    ],
    [
      'vault: { address: a, path: b, login: { tokenFile: t, jwt: { role: r, tokenFile: t } } }',
      ['1:40 the login must name exactly one token'],
    ],
    ['s3cret', ['1:1 secrets do not belong in this file']],
  ])('is refused once, at its place and without its text: %s', (text, expected) =>
    expect(key(text)).toEqual({ value: undefined, problems: expected }),
  );
});

it('an account reports every invalid setting at once, and keeps the valid ones', () => {
  const text = 'companyId: x\nmode: fast\nauth: json\nlabels: { a b: 1, region: eu }';
  const { value, problems } = read(accountSettings, text, 'the account "berlin"');
  expect(value).toMatchObject({ auth: 'json', labels: { region: 'eu' }, companyId: undefined });
  expect(new Set(problems.map((each) => each.split(' ')[0]))).toEqual(new Set(['1:12', '2:7', '4:11']));
});
