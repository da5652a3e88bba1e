import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onceAMinute } from '../../src/service/emulator/limiter.ts';
import { givenAccounts } from '../given/accounts.ts';
import { givenService, type Ran, workplace } from '../given/command-line.ts';
import { type Before, fileError, traced } from '../given/traced-files.ts';

const writing = new Set(['appendFile', 'datasync', 'writeFile', 'rename']);

/** Every kind of file that a run writes. A new one belongs in this list, with the meaning of its loss. */
const kinds = {
  'the journal of the run': /\.ndjson$/,
  'the audit log': /^audit\.log$/,
  'the fleet that the run left': /\.snapshot\.json(?:\.draft)?$/,
  'the file of --summary-out': /^summary\.json(?:\.draft)?$/,
  'the file of --out': /^plan\.json(?:\.draft)?$/,
  'the times of lists': /^lists-.*\.json(?:\.draft)?$/,
  'taking a lock': /^\d+\.json(?:\.draft)?$/,
  'releasing a lock': /^\d+\.free$/,
} as const;
type Kind = keyof typeof kinds;

const kindOf = (file: string) =>
  (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].test(file)) ?? `unknown: ${file}`;

interface Written extends Ran {
  /** How often each kind of file was written. */
  readonly writes: ReadonlyMap<string, number>;
  /** The name of the host afterwards. */
  readonly name: string | null | undefined;
  readonly summary: Readonly<Record<string, unknown>> | undefined;
  readonly lastEvent: Readonly<Record<string, unknown>>;
}

/** Applies one rename. `fails` decides over the nth write to a kind of file, from 1. */
async function applied(fails: (kind: string, nth: number) => string | undefined): Promise<Written> {
  const place = await workplace();
  const service = await givenService(
    { hosts: [{ id: '7', name: 'OLD' }] },
    { clock: place.clock, limits: { listHostsWithGroups: onceAMinute, listHosts: onceAMinute } },
  );
  await place.write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 7, name: NEW }\n');
  const writes = new Map<string, number>();
  const before: Before = (operation, file) => {
    const kind = kindOf(file);
    if (!writing.has(operation) && !(operation === 'open' && kind === 'releasing a lock')) return;
    const nth = (writes.get(kind) ?? 0) + 1;
    writes.set(kind, nth);
    const code = fails(kind, nth);
    if (code !== undefined) throw fileError(code);
  };
  const argv = ['apply', '-f', 'fleet.yaml', '--auto-approve', '--json', '--out', 'plan.json'];
  const { result } = await traced(
    () => place.rampart([...argv, '--summary-out', 'summary.json'], { env: service.env }),
    before,
  );
  if (result.status === 'rejected') throw result.reason;
  const summary = await readFile(join(place.folder, 'summary.json'), 'utf8').catch(() => undefined);
  return {
    ...result.value,
    writes,
    name: service.emulator.state().hosts.find(({ id }) => id === '7')?.name,
    summary: summary === undefined ? undefined : JSON.parse(summary),
    lastEvent: JSON.parse(result.value.out.trimEnd().split('\n').at(-1) ?? '{}'),
  };
}

it('a run that can write every file writes only files whose loss has a meaning', async () => {
  const { code, writes, lastEvent } = await applied(() => undefined);
  expect({ code, kinds: [...writes.keys()].toSorted() }).toEqual({
    code: 0,
    kinds: Object.keys(kinds).toSorted(),
  });
  expect(lastEvent).toMatchObject({ exit_code: 0, recorded: true });
});

/** What the loss of the last write to a file means, once every change is made and verified. */
const losses: Readonly<Record<Kind, 'unrecorded' | 'nothing sent' | 'nothing'>> = {
  'the journal of the run': 'unrecorded',
  'the audit log': 'unrecorded',
  'the fleet that the run left': 'unrecorded',
  'the file of --summary-out': 'unrecorded',
  // It is written before the first change.
  'the file of --out': 'nothing sent',
  // The last lock that a run takes is that of the audit log.
  'taking a lock': 'unrecorded',
  // The next run takes over a lock that was not released, and learns the times of lists again.
  'releasing a lock': 'nothing',
  'the times of lists': 'nothing',
};

let whole: ReturnType<typeof applied> | undefined;

describe.each(['ENOSPC', 'EIO'])('a run whose last write to a file fails with %s', (code) => {
  it.each(Object.entries(losses) as [Kind, (typeof losses)[Kind]][])(
    `ends with ${code} for %s: %s`,
    async (kind, loss) => {
      whole ??= applied(() => undefined);
      const last = (await whole).writes.get(kind);
      const ran = await applied((each, nth) => (each === kind && nth === last ? code : undefined));
      const expected = {
        unrecorded: { code: 8, name: 'NEW', recorded: false },
        'nothing sent': { code: 1, name: 'OLD', recorded: undefined },
        nothing: { code: 0, name: 'NEW', recorded: true },
      }[loss];
      const { exit_code: exitCode, recorded } = ran.lastEvent;
      expect({ code: ran.code, name: ran.name, recorded }).toEqual(expected);
      if (loss === 'nothing') expect(ran.err).not.toContain('error[');
      else expect(ran.err).toMatch(new RegExp(`error\\[[^]*${code}`));
      if (loss !== 'unrecorded') return;
      expect(exitCode).toBe(8);
      // The file of the summary and the last event agree, unless the file is what could not be written.
      if (ran.summary !== undefined) expect(ran.summary).toMatchObject({ exit_code: 8, recorded: false });
      expect(ran.lastEvent['verified']).toBe(true);
    },
  );
});

/** The result of a command whose nth write to a file fails; without a number, no write fails. */
async function failing(run: () => Promise<Ran>, pattern: RegExp, at?: number) {
  let writes = 0;
  const { result } = await traced(run, (operation, file) => {
    if (!writing.has(operation) || !pattern.test(file)) return;
    writes += 1;
    if (writes === at) throw fileError('ENOSPC');
  });
  if (result.status === 'rejected') throw result.reason;
  return { ...result.value, writes };
}

describe('a command that ends after it has changed everything', () => {
  const seed = 'companyId: 1234567890\nhosts:\n  - { id: 7, name: OLD }\n';
  const desired = 'version: 1\nhosts:\n  - { id: 7, name: NEW }\n';
  const emulated = ['--emulator=seed.yaml', '--emulator-state', 'state.yaml'];

  it.each([
    ['an apply without work', 'the fleet that it read', /snapshot\.json/, ['apply', '--auto-approve'], true],
    ['an apply', 'the state of the emulator', /^state\.yaml/, ['apply', '--auto-approve'], false],
    ['an undo', 'the audit log', /^audit\.log$/, ['undo', '--auto-approve'], true],
  ])('ends with 8 if %s loses %s', async (_, _file, pattern, argv, isApplied) => {
    const given = async () => {
      const place = await workplace({ 'seed.yaml': seed, 'fleet.yaml': desired });
      if (isApplied) await place.rampart(['apply', '--auto-approve', ...emulated]);
      return () => place.rampart([...argv, '--json', ...emulated]);
    };
    const { writes, code } = await failing(await given(), pattern);
    expect(code).toBe(0);
    const ran = await failing(await given(), pattern, writes);
    expect(ran).toExit(8, 'ENOSPC: the disk is full');
    const last = JSON.parse(ran.out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'change_summary', exit_code: 8, recorded: false, verified: true });
  });

  it.each([
    ['apply', 'the audit log', /^audit\.log$/],
    ['apply', 'the file of --summary-out', /^end\.json/],
    ['rollout undo', 'the audit log', /^audit\.log$/],
  ])('ends with 8 if a rollout loses it: rampart %s, %s', async (command, _file, pattern) => {
    const given = async () => {
      const { config, env } = await givenAccounts({
        north: { groups: [], hosts: [{ id: '7', name: 'OLD' }] },
        south: { groups: [], hosts: [{ id: '7', name: 'OLD' }] },
      });
      const place = await workplace({ 'rampart.config.yaml': config, 'fleet.yaml': desired });
      const apply = ['apply', '--accounts', 'name != ""', '--auto-approve', '--json'];
      const run = (argv: readonly string[]) => place.rampart(argv, { env });
      if (command === 'apply') return () => run([...apply, '--summary-out', 'end.json']);
      await run(apply);
      return () => run(['rollout', 'undo', '--auto-approve', '--json']);
    };
    const whole = await failing(await given(), pattern);
    expect(whole.code).toBe(0);
    const ran = await failing(await given(), pattern, whole.writes);
    expect(ran).toExit(8, 'ENOSPC: the disk is full');
    const last = JSON.parse(ran.out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'rollout_end', exit_code: 8, recorded: false });
  });
});
