import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFilesState } from '../../src/run/state/files/files-state.ts';
import { acquireLock } from '../../src/run/state/files/lock.ts';
import { describeProcess } from '../../src/run/state/lease/this-process.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { givenService, testPsk, workplace } from '../given/command-line.ts';
import { runFilesIn } from '../given/run-files.ts';

const named = (name: string) => `version: 1\nhosts:\n  - { id: 7, name: ${name} }\n`;

async function given() {
  const place = await workplace();
  const service = await givenService({ hosts: [{ id: '7', name: 'OLD' }] });
  const apply = async (
    name: string,
    env: Readonly<Record<string, string>> = {},
    ...more: readonly string[]
  ) => {
    await place.write('fleet.yaml', named(name));
    const ran = await place.rampart(['apply', '--auto-approve', ...more], {
      env: { ...service.env, ...env },
    });
    expect(ran.err).not.toContain('error');
    return ran;
  };
  const json = async (...argv: readonly string[]) =>
    JSON.parse((await place.rampart([...argv, '--json'])).out);
  return { ...place, ...service, apply, json };
}

const gitlab = {
  GITLAB_CI: 'true',
  GITLAB_USER_LOGIN: 'bob',
  CI_COMMIT_SHA: 'abc123'.padEnd(40, '0'),
  CI_JOB_URL: 'https://ci.example/acme/-/jobs/9',
};

describe('runs', () => {
  it('show who ran what, from where and why, and can be filtered', async () => {
    const { apply, json, rampart } = await given();
    await apply('A', { RAMPART_RUN_ACTOR: 'alice' }, '--reason', 'CHG-1');
    await apply('B', gitlab);
    const all = await json('runs');
    expect(all).toMatchObject([
      { origin: { actor: 'bob', job: 'https://ci.example/acme/-/jobs/9', command: 'apply' } },
      { origin: { actor: 'alice', reason: 'CHG-1' }, plan_checksum: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    const actors = async (...flags: readonly string[]) =>
      (await json('runs', ...flags)).map((run: { origin: { actor: string } }) => run.origin.actor);
    expect(await actors('--actor', 'alice')).toEqual(['alice']);
    expect(await actors('--commit', 'ABC123')).toEqual(['bob']);
    expect(await actors('--state', 'completed')).toEqual(['bob', 'alice']);
    expect(await actors('--state', 'crashed')).toEqual([]);
    expect(await actors('--since', '2026-11-22')).toEqual([]);
    expect(await actors('--since', '1h')).toEqual(['bob', 'alice']);
    expect(await actors('--until', '2026-11-20')).toEqual([]);
    expect(await actors('--limit', '1')).toEqual(['bob']);
    const listed = await rampart('runs --limit 1');
    expect(listed.out).toContain('https://ci.example/acme/-/jobs/9');
    expect(listed.err).toContain('The list ends after 1 run.');
    const narrow = await rampart('runs --actor alice', { terminal: true, columns: 80 });
    expect(narrow.out).toContain('1 of 1 done');
    expect(narrow.out).not.toContain('STARTED');
    expect((await rampart('runs --actor nobody')).out).toBe('No run matches.\n');
    expect((await rampart('runs --all --limit 1')).code).toBe(3);
    expect((await rampart('runs --since yesterday')).code).toBe(3);
    expect((await rampart('runs --commit main')).code).toBe(3);
  });

  it('show and export the origin', async () => {
    const { apply, json, rampart } = await given();
    await apply('A', gitlab, '--reason', 'two\nlines \u001b[31m');
    const [{ run_id: id }] = await json('runs');
    const shown = (await rampart(['runs', 'show', id])).out;
    expect(shown).toContain('  Actor: bob\n');
    expect(shown).toContain('  Reason: two lines ␛[31m\n');
    expect(await json('runs', 'show', id)).toMatchObject({ origin: { actor: 'bob' } });
    expect(JSON.parse((await rampart(['runs', 'export', id])).out)).toMatchObject({
      origin: { actor: 'bob' },
    });
  });

  it('that are in progress are shown as running, with the process that holds the lock', async () => {
    const { folder, json, rampart } = await given();
    const state = openFilesState(join(folder, '.rampart'));
    const account = { companyId: '42', service: 'https://service.example' };
    const clock = systemClock;
    const holder = { ...describeProcess('2026-11-21T09:00:00Z'), machine: 'build-2', pid: 77 };
    const lease = await state.acquire(account, { clock, timeoutMs: 0, holder });
    if (!lease.ok) throw new Error('no lock');
    onTestFinished(() => lease.value.release());
    const started = await state.startRun(lease.value, {
      account,
      clock,
      planChecksum: 'c',
      steps: 1,
      fleetSize: 1,
    });
    const runId = started.ok ? started.value.runId : '';
    expect((await rampart('runs')).out).toContain('running (process 77 on build-2)');
    expect(await json('runs', '--state', 'running')).toMatchObject([
      { run_id: runId, state: 'running', exit_code: null, holder: { pid: 77, machine: 'build-2' } },
    ]);
    expect(await json('runs', '--state', 'crashed')).toEqual([]);
    const shown = (await rampart(['runs', 'show', runId])).out;
    expect(shown).toMatch(/: running\.\nIt holds the lock of .* on build-2 \(process 77, since .*\)\.\n/);
    expect(await json('runs', 'show', runId)).toMatchObject({ state: 'running', holder: { pid: 77 } });
    await lease.value.release();
    expect(await json('runs')).toMatchObject([{ state: 'crashed', holder: null }]);
    expect(await json('runs', 'show', runId)).toMatchObject({ state: 'crashed', holder: null });
  });

  it('contain no key that someone put into a reason', async () => {
    const { apply, folder } = await given();
    await apply('A', { RAMPART_RUN_REASON: `the key is ${testPsk}` });
    const stateDir = join(folder, '.rampart');
    for (const path of [join(stateDir, 'audit.log'), ...runFilesIn(stateDir)]) {
      const text = await readFile(path, 'utf8');
      expect(text).toContain('the key is [secret]');
      expect(text).not.toContain(testPsk.slice(0, 20));
    }
  });
});

describe('audit', () => {
  it('lists runs, approvals and unlocks', async () => {
    const { apply, json, rampart, env } = await given();
    await apply('A', { RAMPART_RUN_ACTOR: 'alice' }, '--ack', 'rename=1');
    expect((await rampart('state unlock', { env })).code).toBe(3);
    const listed = await json('state', 'audit', 'list');
    expect(listed.map(({ record }: { record: { kind: string } }) => record.kind)).toEqual([
      'run-ended',
      'approval',
      'run-started',
    ]);
    expect(listed[1].record.what.approvals).toEqual({ rename: 1 });
    const text = (await rampart('state audit list --limit 1')).out;
    expect(text).toMatch(/^SEQ +TIME +KIND +ACTOR +DETAILS\n3 /);
    const exported = (await rampart('state audit export')).out.trimEnd().split('\n');
    expect(exported.map((line) => JSON.parse(line).record.seq)).toEqual([1, 2, 3]);
  });

  it('is verified, with exit code 8 for a change', async () => {
    const { apply, folder, rampart, json } = await given();
    expect((await rampart('state audit verify')).out).toMatch(/^The audit log is empty, and not signed\.\n/);
    expect((await rampart('state audit list')).out).toBe('The audit log is empty.\n');
    await apply('A');
    const { verdict, head, unnoticed } = await json('state', 'audit', 'verify');
    expect(verdict).toBe('unsigned');
    expect(unnoticed).toEqual([expect.stringContaining('RAMPART_AUDIT_KEY_FILE')]);
    await apply('B');
    expect((await rampart(['state', 'audit', 'verify', '--head', head.hash])).code).toBe(0);
    const path = join(folder, '.rampart', 'audit.log');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"steps":1', '"steps":2'));
    expect(await rampart('state audit verify')).toExit(8, { out: 'record 1 was changed' });
    expect(await json('state', 'audit', 'verify')).toMatchObject({
      verdict: 'broken',
      faults: [{ kind: 'changed', seq: 1 }],
    });
    await writeFile(path, `${text.split('\n')[0]}\n`);
    expect((await rampart('state audit verify')).code).toBe(0);
    expect((await rampart(['state', 'audit', 'verify', '--head', head.hash])).code).toBe(8);
    expect((await rampart('state audit verify --head abc')).code).toBe(3);
  });
});

describe('a signed audit log', () => {
  const signed = async () => {
    const made = await given();
    const pair = generateKeyPairSync('ed25519');
    await made.write('key.pem', String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })));
    await made.write('public.pem', String(pair.publicKey.export({ type: 'spki', format: 'pem' })));
    const key = { RAMPART_AUDIT_KEY_FILE: 'key.pem' };
    const first = await made.apply('A', key);
    await made.apply('B', key);
    return { ...made, key, first, log: join(made.folder, '.rampart', 'audit.log') };
  };

  it('is signed by each run, which prints the head, and verified with either key', async () => {
    const { rampart, key, first } = await signed();
    expect(first.err).toMatch(/^Audit head: record 2, [0-9a-f]{64}$/m);
    const verified = await rampart('state audit verify', { env: key });
    expect(verified.code).toBe(0);
    expect(verified.out).toMatch(/^The audit log is intact: 4 records, signed up to record 4 at .*\nHead: /);
    expect(verified.out).toContain('pass a head that was saved elsewhere');
    expect((await rampart('state audit verify --public-key public.pem')).out).toContain('is intact');
  });

  it('is not intact once its end, all of it, or a run was removed', async () => {
    const { rampart, key, log, folder } = await signed();
    const text = await readFile(log, 'utf8');
    const verify = () => rampart('state audit verify', { env: key });
    await writeFile(log, `${text.split('\n').slice(0, 3).join('\n')}\n`);
    expect(await verify()).toMatchObject({ code: 8, out: expect.stringContaining('after 3 are missing') });
    await writeFile(log, '');
    expect(await verify()).toMatchObject({
      code: 8,
      out: expect.stringContaining('all records are missing'),
    });
    await writeFile(log, text);
    expect((await verify()).code).toBe(0);
    const [path = ''] = runFilesIn(join(folder, '.rampart'));
    await writeFile(path, (await readFile(path, 'utf8')).replace('"OLD"', '"NEVER"'));
    expect(await verify()).toMatchObject({ code: 8, out: expect.stringMatching(/^run \S+ was changed/) });
    await rm(path);
    expect(await verify()).toMatchObject({ code: 8, out: expect.stringMatching(/^run \S+ was deleted/) });
  });

  it.each([
    ['missing.pem', "can't be read (ENOENT)"],
    ['fleet.yaml', 'has no key in PEM form'],
    ['.rampart/key.pem', 'is in the folder of the state that it protects'],
    ['rsa.pem', 'is not an Ed25519 key'],
  ])('needs a usable key: %s is refused before anything is sent', async (file, why) => {
    const { rampart, write, env, folder } = await given();
    await write('fleet.yaml', named('A'));
    await mkdir(join(folder, '.rampart'));
    await write('.rampart/key.pem', 'x');
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await write('rsa.pem', String(publicKey.export({ type: 'spki', format: 'pem' })));
    const ran = await rampart('apply --auto-approve', { env: { ...env, RAMPART_AUDIT_KEY_FILE: file } });
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining(why) });
    expect(existsSync(join(folder, '.rampart', 'runs'))).toBe(false);
  });
});

it('a run that waits says for whom, and unlocking lets it run and is recorded with its reason', async () => {
  const { folder, write, rampart, env, clock, json, apply, emulator } = await given();
  const account = { companyId: env['RAMPART_COMPANY_ID'] ?? '', service: env['RAMPART_BASE_URL'] ?? '' };
  const held = await acquireLock({
    stateDir: join(folder, '.rampart'),
    account,
    clock,
    timeoutMs: 0,
    holder: {
      ...describeProcess('2026-11-21T09:00:00Z', { actor: 'carol', job: 'https://ci.example/jobs/3' }),
      machine: 'elsewhere',
    },
    isAlive: () => true,
  });
  expect(held.ok).toBe(true);
  await write('fleet.yaml', named('NEW'));
  expect(await rampart('apply --auto-approve --lock-timeout 1s', { env })).toExit(
    1,
    /Waiting for the lock of carol on elsewhere \(.*job https:\/\/ci\.example\/jobs\/3\)\.\n/,
    'rampart state unlock',
  );
  expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  expect(await rampart('state unlock', { env })).toExit(3, 'rampart state unlock --reason');
  const unlocked = await rampart(['state', 'unlock', '--reason', 'the job was cancelled'], { env });
  expect(unlocked.out).toContain('Removed the lock of carol on elsewhere');
  const [{ record }] = await json('state', 'audit', 'list');
  expect(record).toMatchObject({
    kind: 'unlock',
    origin: { reason: 'the job was cancelled' },
    what: { holder: { actor: 'carol' } },
  });
  await apply('NEW');
  expect(emulator.state().hosts[0]?.name).toBe('NEW');
  if (held.ok) await held.value.release();
});
