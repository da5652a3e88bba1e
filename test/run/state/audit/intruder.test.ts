import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PGliteDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planChecksum, printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { type AuditKeys, readAuditKeys } from '../../../../src/run/state/audit/audit-keys.ts';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import { chainRecords, emptyChain, type StoredRecord } from '../../../../src/run/state/audit/chain.ts';
import { coverWithinMs } from '../../../../src/run/state/audit/covers.ts';
import { signedAudit } from '../../../../src/run/state/audit/sign-audit.ts';
import { parseSignedHead, signHead } from '../../../../src/run/state/audit/signed-head.ts';
import { type AuditVerification, verifyAudit } from '../../../../src/run/state/audit/verify-audit.ts';
import { startAuditedRun } from '../../../../src/run/state/audited-run.ts';
import { coveredState, coverRollout } from '../../../../src/run/state/covered-state.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import type { State } from '../../../../src/run/state/interface/state.ts';
import { describeProcess } from '../../../../src/run/state/lease/this-process.ts';
import { open } from '../../../../src/run/state/postgres/connect.ts';
import { postgresStateOn } from '../../../../src/run/state/postgres/postgres-state.ts';
import { pruneRuns } from '../../../../src/run/state/prune-runs.ts';
import { exportState, importState } from '../../../../src/run/state/transfer.ts';
import { openPglite } from '../../../../src/server/database/open-pglite.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import { at } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';
import { givenRollout } from '../../../given/rollouts.ts';
import { runFilesIn } from '../../../given/run-files.ts';
import { antivirusStep, renameStep } from '../../../given/steps.ts';
import { valueOf } from '../../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const origin = { actor: 'alice', host: 'workstation' };
const rolloutId = givenRollout().rollout_id;
const plan = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] });

function newKeys(): AuditKeys {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-audit-key-'));
  const file = join(folder, 'key.pem');
  writeFileSync(file, newPem(), { mode: 0o600 });
  const keys = valueOf(readAuditKeys(file, 'a key'));
  rmSync(folder, { recursive: true });
  return keys;
}

function newPem(): string {
  return String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** A state whose folder or database the intruder can write. */
interface Place {
  readonly state: State;
  readonly kind: 'files' | 'sql';
  records(): Promise<readonly StoredRecord[]>;
  putRecords(records: readonly StoredRecord[]): Promise<void>;
  putHead(text: string | null): Promise<void>;
  /** Replaces a text in the journal of a run. */
  changeJournal(runId: string, from: string, to: string): Promise<void>;
  /** Removes the last record but one of a journal. */
  cutJournal(runId: string): Promise<void>;
  /** Copies a run under another id. */
  copyRun(runId: string, to: string): Promise<void>;
  changeRollout(from: string, to: string): Promise<void>;
}

interface Places {
  open(): Promise<Place>;
  stop(): Promise<void>;
}

async function allOf(state: State): Promise<readonly StoredRecord[]> {
  return valueOf(await state.audit.latest(1_000));
}

async function folders(): Promise<Places> {
  const root = mkdtempSync(join(tmpdir(), 'rampart-intruder-'));
  let count = 0;
  return {
    async open() {
      count += 1;
      const stateDir = join(root, String(count));
      const state = openFilesState(stateDir);
      const journal = (runId: string) => runFilesIn(stateDir).find((path) => path.includes(runId)) as string;
      const edit = (path: string, change: (text: string) => string) =>
        writeFileSync(path, change(readFileSync(path, 'utf8')));
      return {
        state,
        kind: 'files',
        records: () => allOf(state),
        putRecords: async (records) =>
          writeFileSync(
            join(stateDir, 'audit.log'),
            records.map(({ hash, text }) => `${hash} ${text}\n`).join(''),
          ),
        async putHead(text) {
          if (text === null) rmSync(join(stateDir, 'audit-head.json'));
          else writeFileSync(join(stateDir, 'audit-head.json'), text);
        },
        changeJournal: async (runId, from, to) =>
          edit(journal(runId), (text) => text.replace(`"${from}"`, `"${to}"`)),
        cutJournal: async (runId) =>
          edit(journal(runId), (text) => `${text.trimEnd().split('\n').toSpliced(-2, 1).join('\n')}\n`),
        copyRun: async (runId, to) =>
          writeFileSync(
            join(dirname(journal(runId)), `${to}.ndjson`),
            readFileSync(journal(runId), 'utf8').replaceAll(runId, to),
          ),
        changeRollout: async (from, to) =>
          edit(join(stateDir, 'rollouts', rolloutId, 'head.json'), (text) => text.replace(from, to)),
      };
    },
    stop: async () => rmSync(root, { recursive: true, force: true }),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function placeIn(state: State, run: (sql: string) => Promise<unknown>): Place {
  return {
    state,
    kind: 'sql',
    records: () => allOf(state),
    async putRecords(records) {
      const rows = records.map(({ hash, text }, index) => `(${index + 1}, ${quoted(hash)}, ${quoted(text)})`);
      await run('delete from rampart.audit');
      if (rows.length > 0) await run(`insert into rampart.audit (seq, hash, body) values ${rows.join(', ')}`);
    },
    async putHead(text) {
      await run(
        text === null
          ? 'delete from rampart.audit_head'
          : `update rampart.audit_head set head = ${quoted(text)}`,
      );
    },
    async changeJournal(runId, from, to) {
      const change = (column: string) =>
        `${column} = replace(${column}::text, '"${from}"', '"${to}"')::jsonb`;
      await run(`update rampart.record set ${change('body')} where run_id = '${runId}'`);
      await run(`update rampart.run set ${change('head')} where run_id = '${runId}'`);
    },
    async cutJournal(runId) {
      await run(`delete from rampart.record where run_id = '${runId}' and seq = (
        select max(seq) - 1 from rampart.record where run_id = '${runId}')`);
    },
    async copyRun(runId, to) {
      await run(`insert into rampart.run select '${to}', account,
        replace(head::text, '${runId}', '${to}')::jsonb, started_at, last from rampart.run where run_id = '${runId}'`);
    },
    async changeRollout(from, to) {
      await run(`update rampart.rollout set head = replace(head::text, '${from}', '${to}')::jsonb`);
    },
  };
}

async function embedded(): Promise<Places> {
  const pglite = await openPglite(undefined);
  const database = { ...open(new PGliteDialect({ pglite }), 'PGlite'), close: async () => {} };
  return {
    async open() {
      await pglite.exec('drop schema if exists rampart cascade');
      const state = postgresStateOn(database);
      valueOf(await state.migrate());
      return placeIn(state, (sql) => pglite.exec(sql));
    },
    stop: () => pglite.close(),
  };
}

const backends: readonly (readonly [string, () => Promise<Places>])[] = [
  ['files', folders],
  ['PGlite', embedded],
];

function entry(reason: string): AuditEntry {
  return { kind: 'unlock', origin: { ...origin, reason }, what: { holder: null } };
}

describe.each(backends)('a change that an intruder makes on %s', (_name, make) => {
  let places: Places;
  let place: Place;
  let keys: AuditKeys;
  let state: State;
  beforeAll(async () => {
    places = await make();
  }, 120_000);
  afterAll(() => places.stop(), 60_000);
  beforeEach(async () => {
    place = await places.open();
    keys = newKeys();
    state = withKeys(keys);
    return () => state.close();
  }, 60_000);

  /** The same state in another process, which remembers no head. */
  const withKeys = (given: AuditKeys | undefined): State => ({
    ...place.state,
    audit: signedAudit(place.state.audit, given),
  });
  const append = async (of: State, ...reasons: readonly string[]) =>
    valueOf(await of.audit.append(systemClock, reasons.map(entry)));
  const runOnce = async (): Promise<string> => {
    const lease = valueOf(
      await state.acquire(account, { clock: systemClock, timeoutMs: 0, holder: describeProcess(at, origin) }),
    );
    const journal = valueOf(
      await startAuditedRun(state, lease, {
        clock: systemClock,
        account,
        planChecksum: 'c',
        steps: 2,
        fleetSize: 9,
        origin,
      }),
    );
    const rename = renameStep('s1', { id: 1, name: 'odd \u0000 \ud800 \\u0000 name' }, 'B');
    const install = antivirusStep('s2', [{ id: 2 }]);
    for (const step of [rename, install]) {
      await journal.begin(step);
      await journal.outcome(step.id, 'done', { failedHostIds: ['7'] });
    }
    expect(await journal.end(0, { rate: 0.1 + 0.2, latency: 1e-7 })).toMatchObject({
      ok: true,
      problems: [],
    });
    await lease.release();
    return journal.runId;
  };
  const startRollout = async () => {
    const head = givenRollout(
      { '100%': ['a'] },
      {
        accounts: [
          {
            account: 'a',
            company_id: '42',
            service: account.service,
            plan_checksum: planChecksum(plan),
          },
        ],
      },
    );
    valueOf(await state.rollouts.create(head));
    valueOf(await state.rollouts.savePlan(head.rollout_id, 'a', printPlan(plan)));
    valueOf(
      await state.audit.append(systemClock, [
        { kind: 'rollout-started', origin, what: { covers: coverRollout(head) } },
      ]),
    );
  };
  const verify = async (
    of: State = withKeys(keys),
    given: { readonly keptHead?: string; readonly inMs?: number } = {},
  ): Promise<AuditVerification> =>
    valueOf(
      await verifyAudit({
        audit: of.audit,
        stores: [coveredState(of)],
        keptHead: given.keptHead,
        now: systemClock.now() + (given.inMs ?? 0),
      }),
    );
  const faultsOf = ({ faults }: AuditVerification) => faults.map(({ message }) => message);
  const kindsOf = ({ faults }: AuditVerification) => faults.map(({ kind, seq }) => `${kind} ${seq}`);

  it('is not reported as long as the log is unchanged', async () => {
    await append(state, 'a', 'b');
    await runOnce();
    await startRollout();
    await append(state, 'c');
    expect(await verify()).toMatchObject({
      verdict: 'intact',
      records: 6,
      faults: [],
      signedHead: { seq: 6, first_seq: 0 },
      unnoticed: [expect.stringContaining('earlier copy')],
    });
    expect(await verify(withKeys(undefined))).toMatchObject({ verdict: 'unsigned', faults: [] });
    const wrong = await verify(withKeys(newKeys()));
    expect(faultsOf(wrong)).toEqual([expect.stringContaining('an unknown key')]);
  });

  const lastHash = async () => (await place.records()).at(-1)?.hash ?? '';
  const forged = (count: number) =>
    chainRecords(
      emptyChain,
      Array.from({ length: count }, (_, index) => entry(`forged ${index}`)),
      new Date().toISOString(),
    );

  /** Each begins with three records, a run of two more and a rollout. */
  const manipulations: Readonly<
    Record<string, { readonly act: (runId: string) => Promise<unknown>; readonly shows: readonly string[] }>
  > = {
    'the last row is cut': {
      act: async () => place.putRecords((await place.records()).slice(0, -1)),
      shows: ['cut-off 6'],
    },
    'the last rows are cut': {
      act: async () => place.putRecords((await place.records()).slice(0, 3)),
      shows: ['cut-off 4'],
    },
    'all rows are deleted': { act: () => place.putRecords([]), shows: ['cut-off 1'] },
    'all rows and the head are deleted': {
      async act() {
        await place.putRecords([]);
        await place.putHead(null);
      },
      shows: ['unsigned 0'],
    },
    'only the head is deleted': { act: () => place.putHead(null), shows: ['unsigned 6'] },
    'the head is damaged': { act: () => place.putHead('{}'), shows: ['unsigned 6'] },
    'the chain is written anew with as many rows': {
      act: () => place.putRecords(forged(6).records),
      shows: ['replaced 6'],
    },
    'the chain is written anew with more rows': {
      act: () => place.putRecords(forged(9).records),
      shows: ['replaced 6'],
    },
    'the chain is written anew and signed with another key': {
      async act() {
        const { records, head } = forged(6);
        await place.putRecords(records);
        const key = newKeys().signing as NonNullable<AuditKeys['signing']>;
        await place.putHead(
          JSON.stringify(signHead(head, { at: new Date().toISOString(), firstSeq: 0 }, key)),
        );
      },
      shows: ['unsigned 6'],
    },
    'the head is changed to name the rewritten chain': {
      async act() {
        const { records, head } = forged(6);
        await place.putRecords(records);
        const old = parseSignedHead(valueOf(await state.audit.readHead()) ?? '');
        await place.putHead(JSON.stringify({ ...old, ...head }));
      },
      shows: ['unsigned 6'],
    },
    'a record in the middle is changed, and all later ones are chained again': {
      async act() {
        const [first, ...rest] = await place.records();
        const parsed = rest.map(({ text }) => JSON.parse(text) as AuditEntry);
        const again = chainRecords(
          { seq: 1, hash: first?.hash ?? '' },
          parsed.map((each) => ({ ...each, origin: { ...each.origin, actor: 'mallory' } })),
          new Date().toISOString(),
        );
        await place.putRecords([first as StoredRecord, ...again.records]);
      },
      shows: ['replaced 6'],
    },
    'the name of a host in a journal is changed': {
      act: (runId) => place.changeJournal(runId, 'B', 'C'),
      shows: ['not-as-recorded 5'],
    },
    'the actor of a run is changed': {
      act: (runId) => place.changeJournal(runId, 'alice', 'bob'),
      shows: ['not-as-recorded 5'],
    },
    'a row of a journal is deleted': {
      act: (runId) => place.cutJournal(runId),
      shows: ['not-as-recorded 5'],
    },
    'a run is deleted': {
      act: (runId) => place.state.removeRuns([runId]),
      shows: ['not-as-recorded 5'],
    },
    'a run is added': {
      act: (runId) => place.copyRun(runId, '20261101T090000000Z-abcdef'),
      shows: ['not-as-recorded 0'],
    },
    'a run is added with a time that has not come yet': {
      act: (runId) => place.copyRun(runId, '20991101T090000000Z-abcdef'),
      shows: ['not-as-recorded 0'],
    },
    'the head of a rollout is changed': {
      act: () => place.changeRollout('ada', 'eve'),
      shows: ['not-as-recorded 6'],
    },
    'the saved plan of a rollout is replaced': {
      act: () => place.state.rollouts.savePlan(rolloutId, 'a', printPlan({ ...plan, acks: { rename: 9 } })),
      shows: ['not-as-recorded 6'],
    },
    'a rollout is deleted': {
      act: () => place.state.rollouts.remove([rolloutId]),
      shows: ['not-as-recorded 6'],
    },
  };

  it.each(Object.entries(manipulations))('is noticed if %s', async (_what, { act, shows }) => {
    await append(state, 'a', 'b', 'c');
    const runId = await runOnce();
    await startRollout();
    expect((await verify()).verdict).toBe('intact');
    await act(runId);
    const found = await verify();
    expect(found.verdict).toBe('broken');
    expect(kindsOf(found)).toEqual(shows);
    for (const { message } of found.faults)
      if (message.includes('run ')) expect(message).toMatch(/run \d{8}T\d{9}Z-[0-9a-f]{6} (was|is)/);
  });

  it('is still visible after the next record, which is not signed', async () => {
    await append(state, 'a', 'b', 'c');
    await place.putRecords((await place.records()).slice(0, 2));
    const next = withKeys(keys);
    const appended = await next.audit.append(systemClock, [entry('d')]);
    expect(appended).toMatchObject({ ok: true, problems: [{ code: 'audit-broken', severity: 'warning' }] });
    expect(kindsOf(await verify())).toEqual(['replaced 3']);
    await append(next, 'e');
    expect(kindsOf(await verify())).toEqual(['replaced 3']);
  });

  it('is not signed if a later record does not continue the one before', async () => {
    await append(state, 'a', 'b');
    const records = await place.records();
    const { records: forged } = chainRecords(
      { seq: 2, hash: emptyChain.hash },
      [entry('forged')],
      new Date().toISOString(),
    );
    await place.putRecords([...records, ...forged]);
    const appended = await withKeys(keys).audit.append(systemClock, [entry('c')]);
    expect(appended.problems).toMatchObject([{ code: 'audit-broken', severity: 'warning' }]);
    expect(parseSignedHead(valueOf(await state.audit.readHead()) ?? '')).toMatchObject({ seq: 2 });
  });

  it('is not suspected if many records follow the last signed head', async () => {
    await append(state, 'a');
    await append(withKeys(undefined), ...Array.from({ length: 70 }, (_, index) => `unsigned ${index}`));
    expect(valueOf(await withKeys(keys).audit.sign(systemClock))).toMatchObject({ seq: 71, first_seq: 0 });
    expect(valueOf(await state.audit.sign(systemClock))).toMatchObject({ seq: 71 });
  });

  it('is not suspected if nothing was recorded since the last signature, which stays', async () => {
    await append(state, 'a');
    const head = valueOf(await state.audit.readHead());
    expect(valueOf(await state.audit.sign(systemClock))).toEqual(parseSignedHead(head ?? ''));
    expect(valueOf(await state.audit.readHead())).toBe(head);
    const next = newKeys();
    const rotated = withKeys({ ...next, known: new Map([...next.known, ...keys.known]) });
    expect(valueOf(await rotated.audit.sign(systemClock))).toMatchObject({ seq: 1, key: next.signing?.id });
    // The process that signed last would notice an earlier copy by itself.
    expect((await verify(rotated)).unnoticed).toEqual([]);
  });

  it('is described by what is missing', async () => {
    const empty = await verify();
    expect(faultsOf(empty)).toEqual([expect.stringContaining('the log is empty and has no signed head')]);
    expect((await verify(withKeys(undefined))).unnoticed).toEqual([
      expect.stringContaining('someone wrote again, removed, or cut off at its end'),
    ]);
    await append(state, 'a');
    expect((await verify(withKeys(undefined))).unnoticed).toEqual([
      expect.stringContaining('someone wrote again or removed together with its last head'),
    ]);
    await place.putHead(null);
    expect(faultsOf(await verify())).toEqual([
      expect.stringContaining('it was never signed, or the head was removed'),
    ]);
  });

  it('is not confused with a run that is removed on purpose in the meantime', async () => {
    const runId = await runOnce();
    await runOnce();
    const pruning = {
      ...coveredState(state),
      async digestsOf(ids: Parameters<ReturnType<typeof coveredState>['digestsOf']>[0]) {
        valueOf(
          await pruneRuns(state, systemClock.now() + 60_000, {
            record: (what) => state.audit.append(systemClock, [{ kind: 'prune', origin, what }]),
          }),
        );
        return coveredState(state).digestsOf(ids);
      },
    };
    const verified = valueOf(
      await verifyAudit({ audit: state.audit, stores: [pruning], now: systemClock.now() }),
    );
    expect(valueOf(await state.runIds())).not.toContain(runId);
    expect(verified).toMatchObject({ verdict: 'intact', faults: [] });
  });

  it('is noticed if it is a record that no signed head covers in time', async () => {
    await append(state, 'a');
    await append(withKeys(undefined), 'forged', 'forged too');
    const soon = await verify();
    expect(soon).toMatchObject({
      verdict: 'intact',
      unnoticed: [expect.anything(), expect.stringContaining('2 to 3')],
    });
    expect(kindsOf(await verify(undefined, { inMs: coverWithinMs + 60_000 }))).toEqual(['unsigned 2']);
    expect(kindsOf(await verify(undefined, { inMs: -coverWithinMs - 60_000 }))).toEqual(['unsigned 2']);
    valueOf(await withKeys(keys).audit.sign(systemClock));
    expect(await verify(undefined, { inMs: coverWithinMs + 60_000 })).toMatchObject({ verdict: 'intact' });
  });

  it('is noticed, if it restores an earlier copy of log and head, only with a head that was kept elsewhere', async () => {
    await append(state, 'a');
    const records = await place.records();
    const head = valueOf(await state.audit.readHead());
    await append(state, 'b');
    const kept = await lastHash();
    await place.putRecords(records);
    await place.putHead(head);
    expect(await verify()).toMatchObject({
      verdict: 'intact',
      unnoticed: [expect.stringContaining('replaced by an earlier copy')],
    });
    expect(kindsOf(await verify(undefined, { keptHead: kept }))).toEqual(['cut-off 1']);
    // The process that signed the lost record remembers it, and signs nothing more.
    expect(kindsOf(await verify(state))).toEqual(['cut-off 1']);
    expect((await state.audit.append(systemClock, [entry('c')])).problems).toMatchObject([
      { code: 'audit-broken' },
    ]);
    expect(valueOf(await state.audit.readHead())).toBe(head);
  });

  it('is not noticed before the first signature, and the response says so', async () => {
    await append(withKeys(undefined), 'a', 'b');
    await append(state, 'c');
    const verified = await verify();
    expect(verified).toMatchObject({ verdict: 'intact', signedHead: { seq: 3, first_seq: 2 } });
    expect(verified.unnoticed).toContainEqual(expect.stringContaining('records 1 to 2'));
  });

  it('is not hidden by the first signature', async () => {
    await append(withKeys(undefined), 'a', 'b', 'c');
    await place.putRecords((await place.records()).toSpliced(1, 1));
    if (place.kind === 'files')
      expect((await state.audit.sign(systemClock)).problems).toMatchObject([{ code: 'audit-broken' }]);
    else expect((await state.audit.sign(systemClock)).ok).toBe(false);
    expect(valueOf(await state.audit.readHead())).toBeNull();
  });

  it('is not confused with a prune or an import', async () => {
    const runId = await runOnce();
    await runOnce();
    await startRollout();
    const lines: string[] = [];
    valueOf(await exportState(state, (line) => void lines.push(line)));
    const pruned = await pruneRuns(state, systemClock.now() + 60_000, {
      record: (what) => state.audit.append(systemClock, [{ kind: 'prune', origin, what }]),
    });
    expect(valueOf(pruned)).toMatchObject({ removed: 1 });
    expect(valueOf(await state.runIds())).not.toContain(runId);
    expect(await verify()).toMatchObject({ verdict: 'intact', faults: [] });

    const before = place;
    place = await places.open();
    const copy = withKeys(keys);
    valueOf(await importState(copy, linesOf(lines), 'state.ndjson'));
    expect(await verify(copy)).toMatchObject({ verdict: 'intact', faults: [], signedHead: { first_seq: 0 } });
    await place.state.close();
    place = before;
  });

  it('is signed with the next key if the file still has the earlier one', async () => {
    await append(state, 'a');
    const [earlier] = keys.known;
    const next = newKeys();
    const rotated = { ...next, known: new Map([...next.known, ...(earlier === undefined ? [] : [earlier])]) };
    await append(withKeys(rotated), 'b');
    expect(await verify(withKeys(next))).toMatchObject({ verdict: 'intact', records: 2 });
    const stranger = withKeys(newKeys());
    expect((await stranger.audit.append(systemClock, [entry('c')])).problems).toMatchObject([
      { code: 'audit-broken' },
    ]);
  });
});

async function* linesOf(lines: readonly string[]) {
  yield* lines.map((line) => line.trimEnd());
}
