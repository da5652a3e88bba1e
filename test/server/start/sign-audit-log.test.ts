import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Result } from '../../../src/core/problem/problem.ts';
import { auditKeyVariable, createAuditKey } from '../../../src/run/state/audit/audit-keys.ts';
import { signedAudit } from '../../../src/run/state/audit/sign-audit.ts';
import { verifyAudit } from '../../../src/run/state/audit/verify-audit.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import { openServerKey, type ServerSigning, startSigning } from '../../../src/server/start/sign-audit-log.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('; '));
  return result.value;
}

/** A database, and a folder for the keys of each machine. */
function givenMachines() {
  const root = mkdtempSync(join(tmpdir(), 'rampart-server-key-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const stateDir = join(root, 'state');
  mkdirSync(stateDir);
  const unsigned = openFilesState(stateDir);
  const folderOf = (machine: string) => join(root, machine);
  const open = (machine = 'a', { env = {}, mayCreate = true } = {}) =>
    openServerKey(
      { ...unsigned, clock: systemClock },
      env,
      { folder: folderOf(machine), mayCreate },
      stateDir,
    );
  /** The state of a server that starts now. */
  const start = async (machine = 'a'): Promise<Pick<State, 'audit'>> => {
    const signing = valueOf(await open(machine)) as ServerSigning;
    return { audit: signedAudit(unsigned.audit, signing.keys, signing.memory) };
  };
  const keyOf = (machine = 'a') => {
    const [name = ''] = readdirSync(folderOf(machine)).filter((each) => each.endsWith('.pem'));
    return join(folderOf(machine), name);
  };
  return { root, stateDir, unsigned, folderOf, open, start, keyOf, auditLog: join(stateDir, 'audit.log') };
}

const append = ({ audit }: Pick<State, 'audit'>, reason: string) =>
  audit.append(systemClock, [
    { kind: 'unlock', origin: { actor: 'ada', host: 'vm', reason }, what: { holder: null } },
  ]);

const verdictOf = async ({ audit }: Pick<State, 'audit'>) => {
  const { verdict, faults } = valueOf(await verifyAudit({ audit, stores: [], now: systemClock.now() }));
  return [verdict, ...faults.map(({ kind }) => kind)];
};

describe('the audit key of a server', () => {
  it('is created at the first start so that only its owner can read it, and used at each later one', async () => {
    const { start, keyOf } = givenMachines();
    const first = await start();
    await append(first, 'one');
    expect(statSync(keyOf()).mode & 0o777).toBe(0o600);
    const pem = readFileSync(keyOf(), 'utf8');
    const second = await start();
    await append(second, 'two');
    expect(readFileSync(keyOf(), 'utf8')).toBe(pem);
    expect(await verdictOf(second)).toEqual(['intact']);
  });

  it('is not created again if it is lost: the server starts unsigned, with a warning', async () => {
    const { start, open, keyOf, folderOf } = givenMachines();
    await append(await start(), 'one');
    rmSync(keyOf());
    const opened = await open();
    expect(opened).toMatchObject({ ok: true, value: undefined });
    expect(opened.problems).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('does not exist, but the audit log is signed'),
      },
    ]);
    expect(readdirSync(folderOf('a')).filter((each) => each.endsWith('.pem'))).toEqual([]);
  });

  it('keeps the server from starting if the operator chose a file without a usable key', async () => {
    const { root, stateDir, open } = givenMachines();
    const named = (path: string, mayCreate = true) =>
      open('a', { env: { [auditKeyVariable]: path }, mayCreate });
    expect((await named(join(root, 'missing.pem'), false)).problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('does not exist') },
    ]);
    writeFileSync(join(root, 'empty.pem'), '');
    expect((await named(join(root, 'empty.pem'))).ok).toBe(false);
    writeFileSync(join(stateDir, 'inside.pem'), '');
    expect((await named(join(stateDir, 'inside.pem'))).problems).toMatchObject([
      { message: expect.stringContaining('is in the folder of the state that it protects') },
    ]);
    expect((await named(join(root, 'new.pem'))).ok).toBe(true);
    expect(statSync(join(root, 'new.pem')).mode & 0o777).toBe(0o600);
    expect((await named(join(root, 'another.pem'))).problems).toMatchObject([
      { message: expect.stringContaining('does not exist, but the audit log is signed') },
    ]);
  });

  it('is not created by a process that signs nothing', async () => {
    const { open, folderOf } = givenMachines();
    expect(await open('a', { mayCreate: false })).toEqual({ ok: true, value: undefined, problems: [] });
    expect(existsSync(folderOf('a'))).toBe(false);
  });

  it('is that of the first signature if several servers start for the first time at once', async () => {
    const { unsigned, open, start, folderOf } = givenMachines();
    await append(unsigned, 'before the first server');
    const machines = ['a', 'b', 'c', 'd'];
    const opened = await Promise.all(machines.map((machine) => open(machine)));
    const signing = opened.filter((each) => each.ok && each.value !== undefined);
    expect(signing).toHaveLength(1);
    for (const each of opened.filter((one) => !signing.includes(one)))
      expect(each).toMatchObject({
        ok: true,
        problems: [
          {
            severity: 'warning',
            message: expect.stringContaining('signed'),
            hint: expect.stringContaining('copy the key from the other servers'),
          },
        ],
      });
    const keys = machines.filter((machine) =>
      readdirSync(folderOf(machine)).some((name) => name.endsWith('.pem')),
    );
    expect(keys).toHaveLength(1);
    const [winner = ''] = keys;
    const server = await start(winner);
    await append(server, 'one');
    expect(await verdictOf(server)).toEqual(['intact']);
    // The others start unsigned again, and report nothing broken.
    for (const machine of machines.filter((each) => each !== winner))
      expect(await open(machine)).toMatchObject({ ok: true, value: undefined });
  });

  it('is not used if it has never signed this log, and another key has', async () => {
    const { open, start, folderOf, keyOf } = givenMachines();
    await append(await start(), 'one');
    mkdirSync(folderOf('b'), { recursive: true });
    const path = join(folderOf('b'), keyOf().split('/').at(-1) ?? '');
    valueOf(createAuditKey(path));
    expect(await open('b')).toMatchObject({
      ok: true,
      value: undefined,
      problems: [
        {
          severity: 'warning',
          message: expect.stringContaining('is not the key that the audit log is signed with'),
        },
      ],
    });
    expect(existsSync(path)).toBe(true);
  });

  it('reports a signature of another key as that of an intruder if it signed before', async () => {
    const { start, folderOf, stateDir } = givenMachines();
    await append(await start(), 'one');
    const head = join(stateDir, 'audit-head.json');
    rmSync(head);
    mkdirSync(folderOf('b'), { recursive: true });
    await append(await start('b'), 'two');
    expect((await (await start()).audit.sign(systemClock)).problems).toMatchObject([
      { code: 'audit-broken', message: expect.stringContaining('not signed with a known key') },
    ]);
  });

  it('is shared by two servers on one database, which sign one after the other', async () => {
    const { start, folderOf, keyOf, open } = givenMachines();
    const a = await start();
    await append(a, 'one');
    expect((await open('b')).problems).toMatchObject([{ severity: 'warning' }]);
    mkdirSync(folderOf('b'), { recursive: true });
    writeFileSync(join(folderOf('b'), keyOf().split('/').at(-1) ?? ''), readFileSync(keyOf()));
    const b = await start('b');
    for (const [server, reason] of [
      [b, 'two'],
      [a, 'three'],
      [b, 'four'],
    ] as const)
      expect((await append(server, reason)).problems).toEqual([]);
    expect(await verdictOf(a)).toEqual(['intact']);
    expect(await verdictOf(b)).toEqual(['intact']);
  });
});

describe('the last head beside the audit key', () => {
  it('shows at the next start that the log and its head were set back while no server ran', async () => {
    const { start, stateDir, auditLog, keyOf } = givenMachines();
    const server = await start();
    await append(server, 'one');
    const files = [auditLog, join(stateDir, 'audit-head.json')];
    const before = files.map((path) => readFileSync(path));
    await append(server, 'two');
    const beside = `${keyOf()}.head.json`;
    expect(statSync(beside).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toEqual(valueOf(await server.audit.remembered()));
    for (const [at, path] of files.entries()) writeFileSync(path, before[at] ?? '');

    const next = await start();
    expect((await next.audit.sign(systemClock)).problems).toMatchObject([{ code: 'audit-broken' }]);
    expect(await verdictOf(next)).toEqual(['broken', 'cut-off']);
    expect(JSON.parse(readFileSync(beside, 'utf8'))).toMatchObject({ seq: 2 });
  });

  it('is refused if it is damaged, and nothing is signed', async () => {
    const { start, keyOf } = givenMachines();
    await append(await start(), 'one');
    writeFileSync(`${keyOf()}.head.json`, '{');
    const next = await start();
    expect((await next.audit.sign(systemClock)).problems).toMatchObject([
      { message: expect.stringContaining('it is damaged') },
    ]);
  });
});

describe('a server that signs its audit log', () => {
  const minute = 60_000;

  /** A log to which another process without the key appends. */
  async function givenSigning() {
    const machines = givenMachines();
    const state = await machines.start();
    const lines: string[] = [];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { sign } = state.audit;
    let signatures = 0;
    const counted = {
      audit: {
        ...state.audit,
        sign: async (clock: typeof systemClock) => {
          const signed = await sign(clock);
          signatures += 1;
          return signed;
        },
      },
    };
    const signing = await startSigning({
      state: counted,
      clock: systemClock,
      log: (level, message) => void lines.push(`${level} ${message}`),
    });
    const pass = async (ms: number, expected: number) => {
      vi.advanceTimersByTime(ms);
      await expect.poll(() => signatures).toBe(expected);
    };
    return { ...machines, lines, signing, pass, others: machines.unsigned };
  }

  it('signs at its start, each minute, and when it stops, what others have appended', async () => {
    const { signing, pass, others, lines } = await givenSigning();
    expect(await signing.head()).toMatchObject({ seq: 0 });
    await append(others, 'one');
    await pass(minute - 1, 1);
    expect(await signing.head()).toMatchObject({ seq: 0 });
    await pass(1, 2);
    expect(await signing.head()).toMatchObject({ seq: 1 });
    await append(others, 'two');
    await signing.stop();
    expect(await signing.head()).toMatchObject({ seq: 2 });
    vi.advanceTimersByTime(5 * minute);
    expect(vi.getTimerCount()).toBe(0);
    expect(lines).toEqual([]);
  });

  it('reports a log that someone cut off each minute, and keeps the last head that it signed', async () => {
    const { signing, pass, others, lines, auditLog } = await givenSigning();
    await append(others, 'one');
    await pass(minute, 2);
    writeFileSync(auditLog, '');
    await pass(minute, 3);
    await pass(minute, 4);
    expect(signing.isBroken()).toBe(true);
    expect(await signing.head()).toMatchObject({ seq: 1 });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^error the audit log is not signed anymore/);
    await signing.stop();
  });
});
