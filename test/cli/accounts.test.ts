import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenService, testPsk, workplace } from '../given/command-line.ts';

const main = 'rampart.config.yaml';
const config = (url: string) => `# Our accounts.
defaults: { baseUrl: '${url}' }
accounts:
  # The first one.
  berlin:
    companyId: 1234567890
    key: { variable: BERLIN_PSK }
    labels: { region: eu }
  boston: { companyId: 42, key: { variable: BOSTON_PSK }, labels: { region: us } }
`;

async function given() {
  const service = await givenService({ hosts: [{ id: '1', name: 'A' }] });
  const url = service.env['RAMPART_BASE_URL'] ?? '';
  const made = await workplace();
  await made.write(main, config(url));
  return {
    ...made,
    emulator: service.emulator,
    env: { RAMPART_ALLOWED_ORIGINS: url, BERLIN_PSK: testPsk, BOSTON_PSK: `${testPsk}x` },
    config: () => readFile(join(made.folder, main), 'utf8'),
  };
}

describe('rampart accounts list', () => {
  it('lists accounts with labels and the location of their keys, and sends nothing', async () => {
    const { rampart, env, emulator } = await given();
    const ran = await rampart('accounts list', { env });
    expect(ran).toExit(0, { out: 'berlin   1234567890  propose  region=eu  variable BERLIN_PSK' });
    const chosen = await rampart(['accounts', 'list', '--accounts', 'region == "us"', '--json'], { env });
    expect(JSON.parse(chosen.out)).toMatchObject({
      accounts: [
        { account: 'boston', company_id: '42', labels: { region: 'us' }, key: 'variable BOSTON_PSK' },
      ],
    });
    expect(`${ran.out}${chosen.out}`).not.toContain(testPsk.slice(0, 20));
    expect(emulator.requests).toEqual([]);
  });

  it('fails without a configuration, and says how to add an account', async () => {
    const { rampart } = await workplace();
    expect(await rampart('accounts list')).toExit(3, 'rampart accounts add NAME');
  });
});

it('rampart accounts show prints each setting with the line where it was written, and no key', async () => {
  const { rampart, env } = await given();
  const ran = await rampart('accounts show berlin', { env });
  expect(ran.code).toBe(0);
  expect(ran.out).toMatch(/companyId +1234567890 +rampart\.config\.yaml:6/);
  expect(ran.out).toMatch(/baseUrl +http:\S+ +rampart\.config\.yaml:2/);
  expect(ran.out).toMatch(/labels\.region +eu +rampart\.config\.yaml:8/);
  expect(ran.out).not.toContain(testPsk.slice(0, 20));
  expect((await rampart('accounts show berln', { env })).err).toContain('did you mean "berlin"?');
});

describe('rampart accounts check', () => {
  it('tries each key with one read, and names the accounts that fail', async () => {
    const { rampart, env, emulator } = await given();
    const ran = await rampart('accounts check', { env });
    expect(ran).toExit(4, { out: [/valid +berlin\nfailed +boston +/, '1 account valid, 1 failed.'] });
    expect(emulator.requests).toHaveLength(2);
    expect(`${ran.out}${ran.err}`).not.toContain(testPsk.slice(0, 20));
    const one = await rampart('accounts check --account berlin --json', { env });
    expect(one.code).toBe(0);
    expect(JSON.parse(one.out)).toMatchObject({ accounts: [{ account: 'berlin', exit_code: 0 }] });
  });

  it('lets all accounts share one pace of at most 20 requests a second', async () => {
    const { rampart, env, write, emulator, clock } = await given();
    const names = Array.from({ length: 40 }, (_, index) => `a-${index + 1}`);
    const accounts = names.map(
      (name, index) => `  ${name}: { companyId: ${index + 1}, key: { variable: BERLIN_PSK } }\n`,
    );
    await write(
      main,
      `defaults: { baseUrl: '${env.RAMPART_ALLOWED_ORIGINS}' }\naccounts:\n${accounts.join('')}`,
    );
    const start = clock.now();
    const ran = await rampart('accounts check --parallel 16', { env });
    expect(emulator.requests).toHaveLength(40);
    expect(clock.now() - start).toBeGreaterThanOrEqual((39 * 1000) / 20);
    expect(ran.out.match(/a-\d+/g)).toEqual(names);
  });

  it('reports a key that is missing', async () => {
    const { rampart, env } = await given();
    const ran = await rampart('accounts check --account boston', { env: { ...env, BOSTON_PSK: '' } });
    expect(ran).toExit(3, { out: 'the variable BOSTON_PSK is not set' });
    expect(ran.out).not.toContain('set RAMPART_COMPANY_ID');
  });
});

describe('rampart accounts add', () => {
  const argv = [
    'accounts',
    'add',
    'lisbon',
    '--company-id',
    '7',
    '--key-variable',
    'LISBON_PSK',
    '--label',
    'region=eu',
  ];

  it.each([
    [
      'in lines',
      '# Ours\naccounts:\n    A: {companyId:  9007199254740993, labels: {x: 007, y: 1e3}}  # a\n# end\n',
      '',
    ],
    ['of Windows', '\ufeffaccounts:\r\n  A:\r\n    companyId: 31\r\n\r\n\r\n    labels: { x: +49 }\r\n', ''],
    ['in braces', '{"accounts": {"A": {"companyId": 9007199254740993}}}', ''],
    ['in empty braces', 'accounts: {} # none yet\ndefaults: {}\n', ' {}'],
    ['without accounts', 'defaults: {}\n# end', ''],
  ])('changes nothing else in a file %s', async (_, before, removed) => {
    const { rampart, write, config: read } = await given();
    await write(main, before);
    expect((await rampart([...argv, '--base-url', 'https://a.example'])).err).toBe('');
    const after = await read();
    const same = before.replace(removed, '');
    const at = after.split('').findIndex((letter, index) => letter !== same[index]);
    expect(after.slice(0, at) + after.slice(at + after.length - same.length)).toBe(same);
    const listed = JSON.parse((await rampart('accounts show lisbon --json')).out) as object;
    expect(JSON.stringify(listed)).toContain('LISBON_PSK');
  });

  it('adds an account and keeps comments and the other accounts', async () => {
    const { rampart, config: read } = await given();
    expect((await rampart([...argv, '--dry-run'])).code).toBe(0);
    expect(await read()).not.toContain('lisbon');
    expect((await rampart(argv)).code).toBe(0);
    const text = await read();
    expect(text).toContain('# Our accounts.');
    expect(text).toContain('  # The first one.\n  berlin:\n');
    const listed = JSON.parse((await rampart('accounts list --json')).out) as object;
    expect(listed).toMatchObject({
      accounts: [
        { account: 'berlin' },
        { account: 'boston' },
        { account: 'lisbon', key: 'variable LISBON_PSK' },
      ],
    });
    expect((await rampart(argv)).err).toContain('already exists');
  });

  it('leaves a comment about the last account with it', async () => {
    const { rampart, write, config: read } = await given();
    const before =
      'accounts:\n  berlin: { companyId: "1" }\n  # Closes in May.\n# The next section.\ndefaults: {}\n';
    await write(main, before);
    expect((await rampart(argv)).code).toBe(0);
    expect(await read()).toMatch(/berlin.*\n {2}# Closes in May\.\n {2}lisbon:\n[^#]*# The next section\.\n/);
  });

  it('describes an empty configuration, and no desired state', async () => {
    const { rampart, write } = await given();
    await write(main, '');
    expect((await rampart('accounts list')).err).toContain('write its settings, or remove it');
  });

  it('writes an account file, if the configuration includes it', async () => {
    const { rampart, write, folder, config: read } = await given();
    const to = ['--to', 'accounts/lisbon/account.yaml'];
    expect(await rampart([...argv, ...to])).toExit(3, 'add a pattern that matches it to "include"');
    await write(main, `${await read()}include: accounts/*/account.yaml\n`);
    expect((await rampart([...argv, ...to])).code).toBe(0);
    expect(await readFile(join(folder, 'accounts/lisbon/account.yaml'), 'utf8')).toContain('LISBON_PSK');
  });

  it.each([
    ['a key in place of the name of a variable', ['--company-id', '7', '--key-variable', testPsk]],
    ['the company ID of another account', ['--company-id', '42']],
    ['a company ID that is no integer', ['--company-id', 'acme']],
  ])('refuses %s, and writes nothing', async (_, flags) => {
    const { rampart, config: read } = await given();
    const before = await read();
    const ran = await rampart(['accounts', 'add', 'lisbon', ...flags]);
    expect(ran.code).toBe(3);
    expect(ran.err).not.toContain(testPsk.slice(0, 20));
    expect(await read()).toBe(before);
  });
});

describe('rampart accounts import', () => {
  it('adds an account for each row of a table', async () => {
    const { rampart, write } = await given();
    await write('a.csv', 'name,companyId,keyVariable,label:region\nlisbon,7,LISBON_PSK,eu\nlima,8,,sa\n');
    const dry = await rampart('accounts import a.csv --dry-run');
    expect(dry.out).toBe('Would add 2 accounts to rampart.config.yaml: lisbon, lima\n');
    expect((await rampart('accounts import a.csv')).code).toBe(0);
    expect((await rampart(['accounts', 'list', '--accounts', 'region == "sa"'])).out).toContain('lima');
  });

  it.each([
    ['name,companyId\nberlin,9\n', 'the account "berlin" already exists in the config', '2:1 (row 2)'],
    ['name,companyId\nlis,7\nLIS,8\n', 'the account "LIS" already exists in row 2', '3:1 (row 3)'],
    ['name,companyId\nlis bon,7\n', 'the name of the account is not valid', '2:1 (row 2, column "name")'],
    ['companyId,name\n7,lima\n,oslo\n', 'companyId must be an integer', '3:1 (row 3, column "companyId")'],
    ['name,companyid\nlisbon,7\n', 'did you mean "companyId"?', '1:6 (row 1)'],
    ['name,name,companyId\na,b,7\n', 'the column "name" appears twice', '1:6 (row 1)'],
    ['name,companyId\nlisbon,7,8\n', 'there are more cells than columns', '2:1 (row 2)'],
    ['name,companyId\n', 'the table has no accounts', '1:1'],
    ['', 'the table has no accounts', '1:1'],
    [`name,companyId,keyVariable\nlisbon,7,${testPsk}\n`, 'keyVariable must be', '2:10 (row 2, column'],
    ['name,companyId\n"lima\n",7\n', 'the name of the account is not valid', '2:1 (row 2, column "name")'],
  ])('refuses %j with its place', async (text, message, place) => {
    const { rampart, write, config: read } = await given();
    const before = await read();
    await write('a.csv', text);
    const ran = await rampart('accounts import a.csv');
    expect(ran).toExit(3, message, `--> a.csv:${place}`);
    expect(ran.err).not.toContain(testPsk.slice(0, 20));
    expect(await read()).toBe(before);
  });

  it('refuses a company ID that another account has, and shows the places of both', async () => {
    const { rampart, write, config: read } = await given();
    const before = await read();
    await write('a.csv', 'name,companyId\nlisbon,42\n');
    const ran = await rampart('accounts import a.csv');
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('the same company ID') });
    expect(ran.err).toMatch(/ {2}--> rampart\.config\.yaml:\d+:3\n {2,3}::: rampart\.config\.yaml:\d+:3\n/);
    expect(await read()).toBe(before);
  });
});

it('completes the names of accounts after --account and accounts show', async () => {
  const { rampart } = await given();
  expect((await rampart('complete -- plan --account b')).out).toContain('berlin\nboston\n');
  expect((await rampart('complete -- accounts show ber')).out).toContain('berlin\n');
});
