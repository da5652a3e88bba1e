import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenService, testPsk, workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';
import { gitlabStandIn } from '../given/gitlab-stand-in.ts';

const fleet = (name: string) => ({ hosts: [{ id: '9007199254740993', name }] });

/** Two accounts on services of their own; both have the company ID of the test. */
async function given(more: object = {}) {
  const berlin = await givenService(fleet('BER-1'));
  const lisbon = await givenService({ ...fleet('LIS-1'), ...more });
  const made = await workplace();
  const url = (service: typeof berlin) => service.env['RAMPART_BASE_URL'] ?? '';
  await made.write(
    'rampart.config.yaml',
    `defaults: { key: { variable: '{NAME}_PSK' }, files: ['{name}.yaml'] }
accounts:
  berlin: { companyId: 1234567890, baseUrl: '${url(berlin)}', labels: { region: north } }
  lisbon: { companyId: 1234567890, baseUrl: '${url(lisbon)}', labels: { region: south } }
`,
  );
  await made.write('berlin.yaml', 'version: 1\nhosts: [{ id: 9007199254740993, name: BER-1 }]\n');
  await made.write('lisbon.yaml', 'version: 1\nhosts: [{ id: 9007199254740993, name: LIS-2 }]\n');
  const env = {
    RAMPART_ALLOWED_ORIGINS: `${url(berlin)} ${url(lisbon)}`,
    BERLIN_PSK: testPsk,
    LISBON_PSK: testPsk,
  };
  return { ...made, env, berlin, lisbon };
}

describe('a command for several accounts', () => {
  it('runs once for each, in the order of their names, below its heading', async () => {
    const { rampart, env } = await given();
    const ran = await rampart(['hosts', '--accounts', 'region != ""'], { env });
    expect(ran.code).toBe(0);
    expect(ran.out).toMatch(/^== berlin ==\n[^=]*BER-1[^=]*\n== lisbon ==\n[^=]*LIS-1/);
  });

  it('prints one JSON document with exact numbers and each exit code', async () => {
    const { rampart, env } = await given();
    const ran = await rampart('doctor credentials --account berlin --account lisbon --json', {
      env: { ...env, LISBON_PSK: '' },
    });
    expect(ran.code).toBe(3);
    const document = JSON.parse(ran.out) as object;
    expect(document).toMatchObject({
      format_version: '1.0',
      accounts: [
        { account: 'berlin', exit_code: 0, output: { valid: true, company_id: '1234567890' } },
        { account: 'lisbon', exit_code: 3, output: { errors: true } },
      ],
    });
    expect(ran.err).toContain('lisbon:\n');
  });

  it('prints CSV and NDJSON with the account of each row', async () => {
    const { rampart, env } = await given();
    const csv = await rampart('hosts --accounts true --columns id,name --format csv', { env });
    expect(csv.code, csv.err).toBe(0);
    expect(csv.out).toBe('account,id,name\nberlin,9007199254740993,BER-1\nlisbon,9007199254740993,LIS-1\n');
    for (const [command, fact] of [
      ['hosts', { name: 'LIS-1', id: '9007199254740993' }],
      ['hosts groups', {}],
      ['hosts snapshot', { output: { format_version: '1.3' } }],
    ] as const) {
      const ran = await rampart([...command.split(' '), '--accounts', 'true', '--format', 'ndjson'], { env });
      const rows = ran.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { account: string });
      expect(new Set(rows.map(({ account }) => account))).toEqual(new Set(['berlin', 'lisbon']));
      expect(rows.find(({ account }) => account === 'lisbon')).toMatchObject(fact);
    }
    expect((await rampart('apply --account lisbon', { env, answer: 'yes' })).code).toBe(0);
    const runs = await rampart('runs --accounts true --format ndjson', { env });
    expect(
      runs.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([expect.objectContaining({ account: 'lisbon', exit_code: 0 })]);
    const table = await rampart('runs --accounts true --format csv', { env });
    expect(table.out).toMatch(/^account,run_id,.*\nlisbon,\S+,completed,0,1,1,.*\n$/);
  });

  it('prints the form for several whenever --accounts is given, and the form for one with --account once', async () => {
    const { rampart, env } = await given();
    const some = ['--accounts', 'region == "south"'];
    const json = await rampart(['hosts', ...some, '--json'], { env });
    expect(JSON.parse(json.out)).toMatchObject({ accounts: [{ account: 'lisbon', exit_code: 0 }] });
    const csv = await rampart(['hosts', ...some, '--columns', 'name', '--format', 'csv'], { env });
    expect(csv.out).toBe('account,name\nlisbon,LIS-1\n');
    const plans = await rampart(['plan', ...some, '--json'], { env });
    expect(JSON.parse(plans.out)).toMatchObject({
      accounts: [{ account: { name: 'lisbon' } }],
      totals: { accounts: 1 },
    });
    const applied = await rampart(['apply', ...some, '--json'], { env, answer: 'yes' });
    expect(applied.out).toContain('"type":"rollout_end"');
    const one = ['--account', 'lisbon'];
    const alone = await rampart(['hosts', ...one, '--columns', 'name', '--format', 'csv'], { env });
    expect(alone.out).toBe('name\nLIS-2\n');
    expect(JSON.parse((await rampart(['plan', ...one, '--json'], { env })).out)).toHaveProperty('steps');
    expect((await rampart(['undo', ...some], { env, answer: 'yes' })).code).toBe(0);
    expect((await rampart(['hosts', 'snapshot', ...some, '--out', 'one.json'], { env })).code).toBe(3);
  });

  it('lists accounts in the natural order of their names, whatever the order of the file', async () => {
    const { rampart, write, env, berlin } = await given();
    const url = berlin.env['RAMPART_BASE_URL'] ?? '';
    const entries = ['s10', 's2', 'Ab', 's1'].map(
      (name, at) => `  ${name}: { companyId: 123456789${at}, files: [berlin.yaml] }\n`,
    );
    await write(
      'rampart.config.yaml',
      `defaults: { baseUrl: '${url}', key: { variable: BERLIN_PSK } }\naccounts:\n${entries.join('')}`,
    );
    const sorted = ['Ab', 's1', 's2', 's10'];
    for (const command of [
      'accounts list',
      'validate',
      'hosts',
      'hosts groups',
      'runs',
      'drift',
      'hosts snapshot',
      'plan',
    ]) {
      const ran = await rampart([...command.split(' '), '--accounts', 'true', '--json'], { env });
      const { accounts } = JSON.parse(ran.out) as { accounts: { account: string | { name: string } }[] };
      const names = accounts.map(({ account }) => (typeof account === 'string' ? account : account.name));
      expect({ command, names }).toEqual({ command, names: sorted });
    }
  });

  it('leaves out the table of an account with other columns, with an error', async () => {
    const { rampart, env } = await given({ categories: [{ id: 'c1', name: 'Site', values: [] }] });
    const csv = await rampart('hosts fields --accounts true --format csv', { env });
    expect(csv).toExit(3, 'the table of lisbon has different columns from that of berlin');
    expect(csv.out).toBe('account,id,name\nberlin,9007199254740993,BER-1\n');
    const rows = await rampart('hosts fields --accounts true --format ndjson', { env });
    expect(rows.code).toBe(0);
    expect(rows.out).toContain('{"account":"lisbon","id":"9007199254740993","name":"LIS-1"');
  });

  it('does not stop at an account that fails, which decides the exit code', async () => {
    const { rampart, env, lisbon } = await given();
    expect(
      await rampart('hosts --accounts true --parallel 1', { env: { ...env, BERLIN_PSK: 'another-key' } }),
    ).toExit(4, { out: 'LIS-1' });
    expect(lisbon.emulator.requests).not.toEqual([]);
  });

  it('writes a file for each account, and refuses a file for all', async () => {
    const { rampart, env, folder } = await given();
    expect(await rampart('hosts snapshot --accounts true --out all.json', { env })).toExit(3);
    await expect(access(join(folder, 'all.json'))).rejects.toThrow('ENOENT');
    const each = await rampart('hosts snapshot --accounts true --out {name}.json', { env });
    expect(each.code).toBe(0);
    expect(each.err).toContain('Saved the snapshot to lisbon.json.');
    expect(await readFile(join(folder, 'lisbon.json'), 'utf8')).toContain('LIS-1');
  });

  it('shows the drift of all accounts in one issue, and of each in its own with {name}', async () => {
    const { rampart, env, lisbon, write, folder } = await given();
    const gitlab = await gitlabStandIn();
    const drift = (more: readonly string[] = [], own: object = {}) =>
      rampart(['drift', '--accounts', 'true', '--issue', 'fleet', ...more], {
        env: { ...env, ...gitlab.env, ...own },
      });
    expect(await drift()).toExit(0, 'Opened an issue about the drift.');
    expect(gitlab.issues).toHaveLength(1);
    expect(gitlab.issues[0]).toMatchObject({ title: 'Fleets of fleet have drifted', state: 'opened' });
    expect(gitlab.issues[0]?.description).toContain('1 of 2 accounts has drifted: 1 host.');
    expect(gitlab.issues[0]?.description).toContain('== lisbon ==');
    expect(gitlab.issues[0]?.description).toContain('No drift: berlin');

    const partly = await drift(['--json', '--detailed-exitcode'], { BERLIN_PSK: 'another-key' });
    expect(partly.code).toBe(4);
    expect(JSON.parse(partly.out)).toMatchObject({ accounts: [{ exit_code: 4 }, { exit_code: 2 }] });
    expect(gitlab.issues[0]?.description).toContain('1 of 2 accounts could not be compared.');
    expect(gitlab.issues[0]?.description).toContain('Not compared: berlin');

    await write('lisbon.yaml', 'version: 1\nhosts: [{ id: 9007199254740993, name: LIS-1 }]\n');
    const unknown = await drift([], { BERLIN_PSK: 'another-key' });
    expect(unknown.code).toBe(4);
    expect(unknown.err).toContain('The issue about the drift is unchanged');
    expect(gitlab.issues.map(({ state }) => state)).toEqual(['opened']);
    gitIn(folder)('init', '--quiet');
    gitIn(folder)('commit', '--quiet', '--allow-empty', '-m', 'x');
    const some = await drift(['--changed-since', 'HEAD']);
    expect([some.code, some.err]).toEqual([
      3,
      expect.stringContaining('--changed-since leaves out accounts'),
    ]);
    expect(gitlab.issues.map(({ state }) => state)).toEqual(['opened']);
    expect((await drift()).code).toBe(0);
    expect(gitlab.issues.map(({ state }) => state)).toEqual(['closed']);

    lisbon.emulator.edit({ kind: 'rename', id: '9007199254740993', name: 'by hand' });
    expect(
      await rampart('drift --accounts true --issue fleet-{name}', { env: { ...env, ...gitlab.env } }),
    ).toExit(0);
    expect(gitlab.issues.map(({ title }) => title)).toEqual([
      'Fleets of fleet have drifted',
      'The fleet of fleet-lisbon has drifted',
    ]);
  });

  it('is refused for commands that take one account, and for formats that hold one', async () => {
    const { rampart, env, berlin } = await given();
    for (const argv of [
      ['undo', 'latest'],
      ['state', 'unlock'],
      ['import', '--format', 'csv'],
      ['hosts', 'connect', 'BER-1'],
    ]) {
      expect((await rampart([...argv, '--accounts', 'true'], { env })).code).toBe(3);
    }
    expect(berlin.emulator.requests).toEqual([]);
  });
});

it('shows where the configuration names a file that does not exist', async () => {
  const { rampart, env, folder } = await given();
  await rm(join(folder, 'lisbon.yaml'));
  for (const argv of [
    ['plan', '--account', 'lisbon'],
    ['validate', '--accounts', 'true'],
    ['plan', '--accounts', 'true'],
  ]) {
    const { code, out, err } = await rampart(argv, { env });
    expect(code).toBe(3);
    expect(out + err).toMatch(/the file or folder lisbon\.yaml does not exist[^]*rampart\.config\.yaml:1/);
  }
});

describe('one selected account', () => {
  it('takes its own files, and only its own key is read', async () => {
    const { rampart, env, lisbon } = await given();
    expect(
      await rampart('plan --account berlin --detailed-exitcode', {
        env: { ...env, LISBON_PSK: 'two\nlines' },
      }),
    ).toExit(0);
    expect(lisbon.emulator.requests).toEqual([]);
    expect(await rampart('plan --account lisbon --detailed-exitcode', { env })).toExit(2);
    expect(
      (await rampart('plan --account lisbon -f berlin.yaml --detailed-exitcode', { env })).out,
    ).toContain('BER-1');
  });

  it('is the only one that validates its files', async () => {
    const { rampart, write } = await given();
    await write('lisbon.yaml', 'version: 7\n');
    expect((await rampart('validate --account berlin')).code).toBe(0);
    expect((await rampart('validate --accounts true')).code).toBe(3);
  });
});

it('the key that a command prints reaches no output, no log and no other program', async () => {
  const { rampart, env, write, berlin, folder } = await given();
  const url = berlin.env['RAMPART_BASE_URL'] ?? '';
  const half = Math.floor(testPsk.length / 2);
  const parts = JSON.stringify([testPsk.slice(0, half), testPsk.slice(half)]);
  await write('key.cjs', `console.error(${parts}.join('')); console.log(${parts}.join(''))\n`);
  await write(
    'rampart.config.yaml',
    `accounts: { berlin: { companyId: 1234567890, baseUrl: '${url}', key: { command: ['${process.execPath}', key.cjs] } } }\n`,
  );
  const own = { RAMPART_ALLOWED_ORIGINS: env.RAMPART_ALLOWED_ORIGINS, RAMPART_ALLOW_KEY_COMMANDS: '1' };
  const argv = ['accounts', 'check', '-v', '--log-file', 'log', '--account', 'berlin'];
  const ran = await rampart(argv, { env: { ...own, RAMPART_LOG: 'debug' } });
  expect(ran.code).toBe(0);
  const log = await readFile(join(folder, 'log'), 'utf8');
  expect(`${ran.out}${ran.err}${log}`).not.toContain(testPsk.slice(0, 20));
  const refused = await rampart(argv, { env: { ...own, RAMPART_ALLOW_KEY_COMMANDS: '' } });
  expect(refused).toMatchObject({ code: 3, out: expect.stringContaining('commands are not allowed') });
});
