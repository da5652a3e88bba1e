import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAccounts } from '../../../src/accounts/config/read-accounts.ts';
import { selectAccounts } from '../../../src/accounts/config/select-accounts.ts';
import { newFolder } from '../../given/folder.ts';
import { gitIn } from '../../given/git.ts';

async function given(files: Readonly<Record<string, string>>) {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function accountsOf(files: Readonly<Record<string, string>>) {
  const read = await readAccounts({ folder: await given(files), env: {} });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

async function problemsOf(files: Readonly<Record<string, string>>) {
  const read = await readAccounts({ folder: await given(files), env: {} });
  return read.ok
    ? []
    : read.problems.map(({ message, place }) => ({ message, at: place && `${place.file}:${place.line}` }));
}

const main = 'rampart.config.yaml';
const provider = `defaults:
  baseUrl: https://remote.example.com
  files: [shared/rules.yaml, 'accounts/{name}/fleet.yaml']
  labels: { tier: silver }
  mode: correct
  limits: { delete: 5%, move: 100 }
  windows: [{ name: nights, only: 'Mon-Fri 20:00-06:00 Europe/Berlin' }]
  key: { variable: '{NAME}_PSK' }
accounts:
  berlin-north:
    companyId: '1234567890'
    files: [accounts/extra.yaml]
    labels: { region: eu, tier: gold }
    limits: { delete: 1 }
  lisbon: { companyId: 1234567891, mode: observe, key: { file: /run/secrets/lisbon } }
include: ['accounts/*/account.yaml']
`;

describe('the accounts of a configuration', () => {
  it('have the defaults, with their names filled in, and their own settings over them', async () => {
    const { accounts, labels } = await accountsOf({
      [main]: provider,
      'accounts/tallinn/account.yaml': 'companyId: 1234567892\nlabels: { region: eu }\n',
    });
    expect(accounts.map(({ name, companyId }) => [name, companyId])).toEqual([
      ['berlin-north', '1234567890'],
      ['lisbon', '1234567891'],
      ['tallinn', '1234567892'],
    ]);
    const [berlin, lisbon, tallinn] = accounts;
    expect(berlin).toMatchObject({
      key: { kind: 'variable', variable: 'BERLIN_NORTH_PSK' },
      files: ['shared/rules.yaml', 'accounts/berlin-north/fleet.yaml', 'accounts/extra.yaml'],
      labels: { region: 'eu', tier: 'gold' },
      mode: 'correct',
      limits: { delete: { kind: 'count', count: 1 }, move: { kind: 'count', count: 100 } },
      place: { file: main, line: 10 },
    });
    expect(berlin?.windows.map((each) => each.name)).toEqual(['nights']);
    expect(lisbon).toMatchObject({ mode: 'observe', key: { kind: 'file', file: '/run/secrets/lisbon' } });
    expect(tallinn).toMatchObject({ labels: { region: 'eu', tier: 'silver' } });
    expect(tallinn?.places['companyId']).toMatchObject({ file: 'accounts/tallinn/account.yaml', line: 1 });
    expect([...labels].sort()).toEqual(['region', 'tier']);
  });

  it('may be in one file each, named by the file', async () => {
    const { accounts } = await accountsOf({
      [main]: 'include: accounts/*.yaml\n',
      'accounts/berlin.yaml': 'companyId: 1\n',
      'accounts/other.yaml': 'name: lisbon\ncompanyId: 2\n',
      'accounts/.hidden.yaml': 'companyId: 3\n',
    });
    expect(accounts.map(({ name }) => name)).toEqual(['berlin', 'lisbon']);
  });

  it.each([
    ['one company ID twice', 'accounts: { a: { companyId: 1 }, b: { companyId: 1 } }', 'same company ID'],
    [
      'two names that differ only in case',
      'accounts: { a: { companyId: 1 }, A: { companyId: 2 } }',
      'two accounts have the name',
    ],
    ['a name with a slash', 'accounts: { a/b: { companyId: 1 } }', 'the name of an account is not valid'],
    ['an account without a company ID', 'accounts: { a: {} }', 'needs "companyId"'],
    ['a file outside the folder', 'accounts: { a: { companyId: 1, files: [../b] } }', 'outside the folder'],
    ['an absolute file', 'accounts: { a: { companyId: 1, files: [/etc/b.yaml] } }', 'outside the folder'],
    ['an include outside the folder', 'include: ../*/account.yaml', 'pattern that is not valid'],
    ['a label CEL reserves', 'accounts: { a: { companyId: 1, labels: { in: x } } }', 'label is not valid'],
    ['a misspelled key', 'accounts: { a: { companyID: 1 } }', 'unknown key "companyID"'],
    [
      'a key instead of the path of its file',
      `accounts: { a: { companyId: 1, key: { file: ${'Qq7k'.repeat(32)} } } }`,
      'secrets do not belong in this file',
    ],
    [
      'a vault without a login',
      'accounts: { a: { companyId: 1, key: { vault: { address: x, path: y } } } }',
      '"vault" needs',
    ],
    [
      'an address without https',
      "accounts: { a: { companyId: 1, baseUrl: 'http://remote.example.com' } }",
      'unencrypted',
    ],
  ])('are refused with %s, with the place', async (_, text, message) => {
    const problems = await problemsOf({ [main]: `${text}\n` });
    expect(problems).toContainEqual({ message: expect.stringContaining(message), at: `${main}:1` });
  });

  it('are refused with one problem for each mistake, at its own place', async () => {
    const text = 'accounts:\n  a: { companyId: x }\ninclude:\n  - fine/*.yaml\n  - ../*.yaml\n';
    expect(await problemsOf({ [main]: text })).toEqual([
      { message: '"companyId" must be an integer', at: `${main}:2` },
      { message: '"include" has a pattern that is not valid', at: `${main}:5` },
    ]);
  });

  it('are never read from links, pipes or files that are too large', async () => {
    const folder = await given({ [main]: 'include: accounts/*.yaml\n', 'secret.txt': 'companyId: 1\n' });
    await mkdir(join(folder, 'accounts'));
    await symlink(join(folder, 'secret.txt'), join(folder, 'accounts/a.yaml'));
    expect((await readAccounts({ folder, env: {} })).ok).toBe(false);
    const outside = await given({ 'b/account.yaml': 'companyId: 2\n' });
    await symlink(join(outside, 'b'), join(folder, 'accounts/b'));
    await writeFile(join(folder, main), 'include: accounts/*/account.yaml\n');
    expect(await readAccounts({ folder, env: {} })).toMatchObject({ ok: true, value: { accounts: [] } });
    await writeFile(join(folder, main), 'include: accounts/*.yaml\n');
    await rm(join(folder, 'accounts/a.yaml'));
    await writeFile(join(folder, 'accounts/a.yaml'), `# ${'x'.repeat(70_000)}\ncompanyId: 1\n`);
    expect((await readAccounts({ folder, env: {} })).ok).toBe(false);
  });

  it('of a reviewed commit come from that commit, with the files that it includes', async () => {
    const folder = await given({
      [`sites/${main}`]:
        "defaults: { baseUrl: 'https://remote.example.com' }\ninclude: accounts/*/account.yaml\n",
      'sites/accounts/berlin/account.yaml': 'companyId: 1\n',
      'sites/accounts/lisbon/account.yaml': 'companyId: 2\n',
      'accounts/other/account.yaml': 'companyId: 3\n',
    });
    await symlink('berlin', join(folder, 'sites/accounts/linked'));
    const git = gitIn(folder);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'x');
    await writeFile(join(folder, 'sites/accounts/berlin/account.yaml'), 'companyId: 9\n');
    await mkdir(join(folder, 'sites/accounts/new'));
    await writeFile(join(folder, 'sites/accounts/new/account.yaml'), 'companyId: 8\n');
    const env = { PATH: process.env['PATH'], RAMPART_CONFIG_REF: 'HEAD' };
    const read = await readAccounts({ folder: join(folder, 'sites'), env });
    expect(
      read.ok && read.value.accounts.map(({ name, companyId, isReviewed }) => [name, companyId, isReviewed]),
    ).toEqual([
      ['berlin', '1', true],
      ['lisbon', '2', true],
    ]);
  });
});

describe('a selector of accounts', () => {
  const file = () =>
    accountsOf({
      [main]: `accounts:
  berlin: { companyId: 1, labels: { region: eu, tier: gold } }
  lisbon: { companyId: 2, labels: { region: eu } }
  boston: { companyId: 3, labels: { region: us, tier: silver } }
`,
    });
  const chosen = async (names: readonly string[], where?: string) => {
    const selected = selectAccounts(await file(), { names, ...(where === undefined ? {} : { where }) });
    return selected.ok ? selected.value.map(({ name }) => name) : selected.problems[0];
  };

  it.each([
    ['region == "eu" && tier != "gold"', ['lisbon']],
    ['tier == ""', ['lisbon']],
    ['name.startsWith("b")', ['berlin', 'boston']],
    ['tier in ["gold", "silver"]', ['berlin', 'boston']],
    ['true', ['berlin', 'boston', 'lisbon']],
  ])('%s reads labels, and a missing label as an empty text', async (where, names) =>
    expect(await chosen([], where)).toEqual(names),
  );

  it('takes names and an expression together', async () =>
    expect(await chosen(['boston'], 'tier == "gold"')).toEqual(['berlin', 'boston']));

  it.each([
    ['regoin == "eu"', 'did you mean "region"?'],
    ['region', 'compare it with a value: == "…"'],
    ['host.name == "x"', 'put a string in quotation marks: "host"'],
  ])('refuses %s', async (where, hint) =>
    expect(await chosen([], where)).toMatchObject({ code: 'invalid-expression', hint }),
  );

  it('refuses an unknown name, and an expression that selects nothing', async () => {
    expect(await chosen(['berln'])).toMatchObject({ hint: 'did you mean "berlin"?' });
    expect(await chosen([], 'region == "asia"')).toMatchObject({ code: 'usage' });
  });
});
