import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerReader } from '../../../src/service/registers/register-reader.ts';
import {
  deadlineOf,
  readRegisterDatabase,
  readRegisterSettings,
  registerProblems,
} from '../../../src/service/registers/register-settings.ts';
import { newFolder } from '../../given/folder.ts';

const folder = newFolder();
writeFileSync(join(folder, 'header'), 'X-Key: from-a-file\n', { mode: 0o600 });
writeFileSync(join(folder, 'secret'), 'secret-of-a-file\n', { mode: 0o600 });
writeFileSync(join(folder, 'database'), 'postgresql://a:in-a-file@db.example:5433/assets\n', { mode: 0o600 });

/** The variables of the source "my-cmdb". */
type Ending =
  | 'URL'
  | 'HEADER'
  | 'HEADER_FILE'
  | 'HEADER_2'
  | 'HEADER_2_FILE'
  | 'TOKEN_URL'
  | 'CLIENT_ID'
  | 'CLIENT_SECRET'
  | 'CLIENT_SECRET_FILE'
  | 'SCOPE'
  | 'TIMEOUT'
  | 'DATABASE_URL'
  | 'DATABASE_URL_FILE';
type Given = Readonly<Partial<Record<Ending, string>>>;

function placeOf(given: Given) {
  const hidden: string[] = [];
  const env = Object.fromEntries(
    Object.entries(given).map(([ending, value]) => [`RAMPART_SOURCE_MY_CMDB_${ending}`, value]),
  );
  return { place: { env, folder, hide: (secrets: readonly string[]) => hidden.push(...secrets) }, hidden };
}

const url = 'https://register.example/api';
const login: Given = {
  URL: url,
  TOKEN_URL: 'https://login.example/token',
  CLIENT_ID: 'me',
  CLIENT_SECRET: 'hush-hush',
};

function readSettings(given: Given) {
  const { place, hidden } = placeOf(given);
  const read = readRegisterSettings('my-cmdb', place);
  return { read, hidden, problem: read.problems[0] };
}

describe('the settings of a source', () => {
  it.each<[string, Given, unknown, readonly string[]]>([
    ['an address alone', { URL: url }, { headers: {} }, []],
    [
      'a header, whose name has no capitals',
      { URL: url, HEADER: 'Authorization: Bearer a b' },
      { headers: { authorization: 'Bearer a b' } },
      ['Bearer a b', 'a b'],
    ],
    [
      'two headers',
      { URL: url, HEADER: 'X-One: 1one', HEADER_2: 'X-Two:2two' },
      { headers: { 'x-one': '1one', 'x-two': '2two' } },
      ['1one', '1one', '2two', '2two'],
    ],
    [
      'a header of a file',
      { URL: url, HEADER_FILE: 'header' },
      { headers: { 'x-key': 'from-a-file' } },
      ['from-a-file', 'from-a-file'],
    ],
    [
      'client credentials',
      login,
      {
        headers: {},
        login: { url: new URL('https://login.example/token'), clientId: 'me', clientSecret: 'hush-hush' },
      },
      ['hush-hush'],
    ],
    [
      'client credentials with a scope, and the secret in a file',
      { ...login, CLIENT_SECRET: '', CLIENT_SECRET_FILE: 'secret', SCOPE: 'read' },
      {
        headers: {},
        login: {
          url: new URL('https://login.example/token'),
          clientId: 'me',
          clientSecret: 'secret-of-a-file',
          scope: 'read',
        },
      },
      ['secret-of-a-file'],
    ],
  ])('are %s', (_, given, expected, secrets) => {
    const { read, hidden } = readSettings(given);
    expect(read.ok && read.value).toEqual({ url: new URL(url), ...(expected as object) });
    expect(hidden).toEqual(secrets);
  });

  it.each<[string, Given, string, RegExp]>([
    ['no address', {}, 'configuration', /^RAMPART_SOURCE_MY_CMDB_URL is not set/],
    ['a header without a value', { URL: url, HEADER: 'x' }, 'configuration', /_CMDB_HEADER is not a header$/],
    ['a second one that is none', { URL: url, HEADER_2: 'x' }, 'configuration', /_HEADER_2 is not a header$/],
    ['a header in a missing file', { URL: url, HEADER_FILE: 'gone' }, 'configuration', /gone/],
    ['a second header in a missing file', { URL: url, HEADER_2_FILE: 'gone' }, 'configuration', /gone/],
    ['a secret in a missing file', { ...login, CLIENT_SECRET_FILE: 'gone' }, 'configuration', /gone/],
    ['an address of a login that is none', { ...login, TOKEN_URL: 'x' }, 'configuration', /is not a URL$/],
    ['no client', { ...login, CLIENT_ID: '' }, 'missing-credentials', /_CLIENT_ID or .*_SECRET is not set/],
    ['no secret', { ...login, CLIENT_SECRET: '' }, 'missing-credentials', /_CLIENT_SECRET is not set$/],
  ])('are refused with %s', (_, given, code, message) => {
    const { problem, read } = readSettings(given);
    expect(read.ok).toBe(false);
    expect(problem?.code).toBe(code);
    expect(problem?.message).toMatch(message);
  });
});

describe('the database of a source', () => {
  it.each<[Given, string, string]>([
    [
      { DATABASE_URL: 'postgresql://a:top-secret@db.example/x' },
      'postgresql://a:top-secret@db.example/x',
      'top-secret',
    ],
    [{ DATABASE_URL_FILE: 'database' }, 'postgresql://a:in-a-file@db.example:5433/assets', 'in-a-file'],
  ])('is at the address of %j', (given, expected, secret) => {
    const { place, hidden } = placeOf(given);
    const read = readRegisterDatabase('my-cmdb', place);
    expect(read.ok && read.value).toBe(expected);
    expect(hidden).toContain(secret);
  });

  it.each<[string, Given, RegExp]>([
    ['no address', {}, /^RAMPART_SOURCE_MY_CMDB_DATABASE_URL is not set/],
    ['a file that is missing', { DATABASE_URL_FILE: 'gone' }, /gone/],
  ])('is not known with %s', (_, given, message) =>
    expect(readRegisterDatabase('my-cmdb', placeOf(given).place).problems[0]?.message).toMatch(message),
  );
});

describe('what is wrong with a source', () => {
  const database = 'postgresql://a:b@db.example/x';
  it.each<[string, Given, readonly RegExp[]]>([
    ['nothing over HTTP', { URL: url }, []],
    ['nothing with a database', { DATABASE_URL: database }, []],
    ['nothing with a database in a file', { DATABASE_URL_FILE: 'database' }, []],
    ['its address, if it has none', {}, [/_URL is not set/]],
    ['its database, whatever its address says', { URL: url, DATABASE_URL: 'x' }, [/_DATABASE_URL/]],
    ['its address and its limit', { TIMEOUT: 'soon' }, [/_URL is not set/, /_TIMEOUT is not a duration/]],
  ])('is %s', (_, given, expected) => {
    const problems = registerProblems('my-cmdb', placeOf(given).place);
    expect(problems.map(({ message }) => message)).toEqual(
      expected.map((each) => expect.stringMatching(each)),
    );
  });
});

describe('the limit of a read', () => {
  it.each<[Given, number, string]>([
    [{}, 1000 + 15 * 60_000, '15m'],
    [{ TIMEOUT: '90s' }, 1000 + 90_000, '90s'],
  ])('with %j ends at %i', (given, at, words) => {
    const read = deadlineOf('my-cmdb', 1000, placeOf(given).place);
    expect(read.ok && read.value.at).toBe(at);
    expect(read.ok && read.value.problem.message).toMatch(
      new RegExp(`not all of its rows arrived within ${words}$`),
    );
  });

  it('is a duration', () => {
    const [problem] = deadlineOf('my-cmdb', 0, placeOf({ TIMEOUT: '7' }).place).problems;
    expect(problem?.code).toBe('configuration');
  });
});

describe('the reader of registers', () => {
  const clock = { now: () => 0, sleep: async () => {} };

  it.each<[string, object, RegExp]>([
    ['a query in the database', { query: 'select 1' }, /^RAMPART_SOURCE_MY_CMDB_DATABASE_URL is not set/],
    [
      'a path over HTTP',
      { path: '/rows', paging: { by: 'none', param: '', size: 1, first: 0 } },
      /^RAMPART_SOURCE_MY_CMDB_URL is not set/,
    ],
  ])('reads %s', async (_, request, message) => {
    const read = registerReader({ ...placeOf({}).place, clock });
    const result = await read({ source: 'my-cmdb', ...request } as Parameters<typeof read>[0]);
    expect(result.problems[0]?.message).toMatch(message);
  });
});
