import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/core/model/account.ts';
import { noFacts } from '../../../src/core/model/facts.ts';
import { readSnapshot, type Snapshot } from '../../../src/core/model/snapshot.ts';
import {
  failed,
  ok,
  type Problem,
  problem,
  type Result,
  warning,
} from '../../../src/core/problem/problem.ts';
import type { StoredRecord } from '../../../src/run/state/audit/chain.ts';
import type { SignedAudit } from '../../../src/run/state/audit/sign-audit.ts';
import type { InventoryStore } from '../../../src/run/state/interface/inventory-store.ts';
import type { RunQuery, State } from '../../../src/run/state/interface/state.ts';
import type { Run } from '../../../src/run/state/journal/parse-run.ts';
import { digestOf } from '../../../src/run/state/journal/run-digest.ts';
import { exportState, importState } from '../../../src/run/state/transfer.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';
import { givenEvents, givenRollout, memoryRollouts } from '../../given/rollouts.ts';
import { givenBegin, givenRun, listing, partialState } from '../../given/runs.ts';

const account: Account = { companyId: '42', service: 'https://service.example' };
const fleet: Snapshot = { account, observed: givenFleet([{ id: 1, name: 'Ä' }]), facts: noFacts };
const away = failed(problem('state', 'away'));
const records = [1, 2, 3].map((each) => ({ hash: `h${each}`, text: `t${each}` }));
const header = '{"type":"state","format_version":"1.0"}';

/** Two records to a page. */
function auditOf(stored: StoredRecord[], parts: Partial<SignedAudit> = {}): SignedAudit {
  return {
    keys: undefined,
    sign: async () => ok(null),
    remembered: async () => ok(null),
    readHead: async () => ok(null),
    saveHead: async () => ok(true),
    append: async () => away,
    latest: async (count) => ok(stored.slice(-count)),
    page: async (cursor) =>
      ok({
        records: stored.slice(cursor, cursor + 2),
        next: cursor + 2 < stored.length ? cursor + 2 : null,
      }),
    async restore(added) {
      stored.push(...added);
      return ok(null);
    },
    ...parts,
  };
}

function inventoriesOf(texts: Record<string, string>, damaged: readonly Problem[] = []): InventoryStore {
  return {
    read: async (key) => (key in texts || damaged.length === 0 ? ok(texts[key] ?? null) : failed(...damaged)),
    async save(key, text) {
      texts[key] = text;
      return ok(null);
    },
    keys: async () => ok([...Object.keys(texts), 'f'.repeat(16)]),
  };
}

/** Latest first. */
function source(runs: readonly Run[], parts: Partial<State> = {}, queries: RunQuery[] = []): State {
  return partialState({
    listRuns: listing(runs.map(digestOf), queries),
    async readRun(runId) {
      const run = runs.find(({ head }) => head.run_id === runId);
      return run === undefined ? away : ok(run);
    },
    eachFleet: (visit) => visit(fleet),
    audit: auditOf([]),
    rollouts: memoryRollouts(),
    inventories: inventoriesOf({}),
    ...parts,
  });
}

async function exported(
  state: State,
): Promise<{ readonly lines: readonly string[]; readonly result: unknown }> {
  const lines: string[] = [];
  const result = await exportState(state, (line) => lines.push(line));
  return { lines, result };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** What is imported into a state that knows these runs. */
async function imported(lines: readonly string[], known: readonly string[] = [], parts: Partial<State> = {}) {
  const runs: Run[] = [];
  const fleets: unknown[] = [];
  const state = partialState({
    async importRun(run): Promise<Result<boolean>> {
      if (known.includes(run.head.run_id)) return ok(false);
      runs.push(run);
      return ok(true);
    },
    async saveFleet(of, observed) {
      fleets.push([of, observed.byId(hostId(1))?.name]);
      return ok(null);
    },
    audit: auditOf([]),
    rollouts: memoryRollouts(),
    ...parts,
  });
  return { result: await importState(state, each(lines), 'state.ndjson'), runs, fleets };
}

describe('moving rollouts', () => {
  const head = givenRollout();
  const given = async () => {
    const rollouts = memoryRollouts();
    await rollouts.create(head);
    await rollouts.savePlan(head.rollout_id, 'a', 'plan of a');
    await rollouts.append(head.rollout_id, 0, givenEvents(['begun']));
    return rollouts;
  };

  it("fails if they can't be listed", async () => {
    const rollouts = { ...(await given()), list: async () => away };
    expect((await exported(source([], { rollouts }))).result).toEqual(away);
  });

  it("fails at the line that can't be imported", async () => {
    const { lines } = await exported(source([], { rollouts: await given() }));
    const texts = lines.map((line) => line.trimEnd());
    expect((await imported(texts)).result).toMatchObject({ ok: true, value: { rollouts: 1 } });
    for (const method of ['read', 'create', 'append', 'savePlan']) {
      const { result } = await imported(texts, [], {
        rollouts: { ...memoryRollouts(), [method]: async () => away },
      });
      expect(result, method).toMatchObject({
        ok: false,
        problems: [{ message: 'away', place: { file: 'state.ndjson', line: expect.any(Number) } }],
      });
    }
  });

  it('fails if the rollout changes meanwhile', async () => {
    const { lines } = await exported(source([], { rollouts: await given() }));
    const rollouts = { ...memoryRollouts(), append: async () => ok(false) };
    expect((await imported(lines, [], { rollouts })).result).toMatchObject({
      ok: false,
      problems: [{ message: `rollout ${head.rollout_id} changed while it was imported` }],
    });
  });

  it('are problems of the state if a line is not one of an export, or of a later format', async () => {
    for (const lines of [['{}'], ['{"type":"state","format_version":"2.0"}']])
      expect((await imported(lines)).result.problems).toMatchObject([{ code: 'state' }]);
  });
});

describe('an exported state', () => {
  const runs = [givenRun(2, [givenBegin('s1', 'antivirus', ['1'])]), givenRun(1)];

  it('has one object per line: its format, the runs and the fleets', async () => {
    const { lines, result } = await exported(source(runs));
    expect(result).toEqual(ok({ runs: 2, fleets: 1, rollouts: 0, known: 0 }));
    expect(lines.every((line) => line.endsWith('\n') && !line.trimEnd().includes('\n'))).toBe(true);
    const [head, first, second, last] = lines.map((line) => JSON.parse(line));
    expect(lines).toHaveLength(4);
    expect(head).toEqual({ type: 'state', format_version: '1.3' });
    expect([first, second].map(({ type }) => type)).toEqual(['run', 'run']);
    expect(first.journal).toBe(runs[0]?.records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    expect(last.type).toBe('fleet');
    expect(readSnapshot(last.snapshot, 'f')).toMatchObject({ ok: true, value: { account } });
  });

  it('is the same after an import', async () => {
    const { lines } = await exported(source(runs));
    const copy = await imported(lines.map((line) => line.trimEnd()));
    expect(copy.result).toEqual(
      ok({ runs: 2, fleets: 1, rollouts: 0, known: 0, uncovered: copy.runs.map(({ head }) => head.run_id) }),
    );
    expect(copy.runs).toEqual(runs);
    expect(copy.fleets).toEqual([[account, 'Ä']]);
  });

  it('does not change a run that already exists, and counts it', async () => {
    const { lines } = await exported(source(runs));
    const copy = await imported(lines, [runs[0]?.head.run_id ?? '']);
    expect(copy.result).toEqual(
      ok({ runs: 1, fleets: 1, rollouts: 0, known: 1, uncovered: [runs[1]?.head.run_id] }),
    );
    expect(copy.runs).toEqual([runs[1]]);
  });

  it('has all runs, even if one page does not list them all', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => givenRun(1001 - index));
    const queries: RunQuery[] = [];
    const { lines, result } = await exported(source(many, {}, queries));
    expect(result).toMatchObject({ value: { runs: 1001 } });
    expect(new Set(lines).size).toBe(1003);
    expect(queries).toEqual([
      { limit: 500 },
      { limit: 500, before: many[499]?.head.run_id },
      { limit: 500, before: many[999]?.head.run_id },
    ]);
  });

  it("leaves out runs that can't be read, with a warning, and continues", async () => {
    const many = Array.from({ length: 501 }, (_, index) => givenRun(501 - index));
    const all = listing(many.map(digestOf));
    const damaged = warning('journal', 'damaged');
    const { result } = await exported(
      source(many, {
        async listRuns(query) {
          const listed = await all(query);
          if (!listed.ok || query.before !== undefined) return listed;
          return ok(listed.value.slice(0, 499), [damaged]);
        },
      }),
    );
    expect(result).toEqual(ok({ runs: 501, fleets: 1, rollouts: 0, known: 0 }, [damaged]));
  });

  it('ends if no run can be read at all', async () => {
    const damaged = Array.from({ length: 600 }, () => warning('journal', 'damaged'));
    const { result } = await exported(source([], { listRuns: async () => ok([], damaged) }));
    expect(result).toMatchObject({ ok: true, value: { runs: 0 } });
  });

  it.each(['listRuns', 'readRun', 'eachFleet'] as const)('fails if %s does', async (method) => {
    expect((await exported(source(runs, { [method]: async () => away }))).result).toEqual(away);
  });
});

describe('importing a state', () => {
  const run = JSON.stringify({ type: 'run', journal: `${JSON.stringify(givenRun(1).head)}\n` });

  it('skips empty lines', async () => {
    expect((await imported([header, '', run, ''])).result).toEqual(
      ok({ runs: 1, fleets: 0, rollouts: 0, known: 0, uncovered: ['20261121T090001000Z-aaaaaa'] }),
    );
  });

  it('refuses an empty file', async () => {
    expect((await imported([])).result.problems).toMatchObject([
      { code: 'state', message: 'state.ndjson is empty', hint: 'write it with: rampart state export' },
    ]);
  });

  it.each([
    ['a first line of something else', [run], 1],
    ['a line that is no JSON', [header, run, '{'], 3],
    ['a line of another kind', [header, '{"type":"lock"}'], 2],
    ['a second first line', [header, header], 2],
    ['a damaged run', [header, '{"type":"run","journal":"{}\\n"}'], 2],
    ['a damaged fleet', [header, run, '{"type":"fleet","snapshot":"{}"}'], 3],
    ['a format of the future', ['{"type":"state","format_version":"2.0"}'], 1],
    ['a format of the past', ['{"type":"state","format_version":"0.1."}'], 1],
  ])('refuses %s, and names the line', async (_what, lines, line) => {
    const { result } = await imported(lines);
    expect(result).toMatchObject({
      ok: false,
      problems: [{ place: { file: 'state.ndjson', line, col: 1 } }],
    });
  });
});

describe('importing into a state that fails', () => {
  it("ends if a run or a fleet can't be saved, and names the line", async () => {
    const { lines } = await exported(source([givenRun(1)]));
    for (const [method, line] of [
      ['importRun', 2],
      ['saveFleet', 3],
    ] as const) {
      const { result } = await imported(lines, [], { [method]: async () => away });
      expect(result).toMatchObject({ ok: false, problems: [{ message: 'away', place: { line } }] });
    }
  });
});

describe('the audit log in an exported state', () => {
  const exportedAudit = async () => {
    const { lines } = await exported(source([], { audit: auditOf(records) }));
    return lines.map((line) => line.trimEnd());
  };

  it('becomes the audit log of a state that has none', async () => {
    const restored: StoredRecord[] = [];
    const { result } = await imported(await exportedAudit(), [], { audit: auditOf(restored) });
    expect(result).toEqual(ok({ runs: 0, fleets: 1, rollouts: 0, known: 0, uncovered: [] }));
    expect(restored).toEqual(records);
  });
  describe('with a signed head', () => {
    const head = {
      format_version: '1.0',
      seq: 3,
      hash: 'a'.repeat(64),
      at: '2026-11-21T09:00:00.000Z',
      first_seq: 1,
      key: 'b'.repeat(64),
      signature: 'c2lnbmF0dXJl',
    };
    const signed = () => auditOf(records, { readHead: async () => ok(JSON.stringify(head)) });
    const exportedHead = async () => (await exported(source([], { audit: signed() }))).lines;

    it('keeps it, and the head comes before the records', async () => {
      const saved: unknown[] = [];
      const audit = auditOf([], {
        saveHead: async (given) => {
          saved.push(given);
          return ok(true);
        },
      });
      const lines = await exportedHead();
      expect(lines.slice(2, 4).map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
        'audit-head',
        'audit',
      ]);
      expect((await imported(lines, [], { audit })).result).toMatchObject({ ok: true });
      expect(saved).toEqual([head]);
    });

    it("fails if the head can't be read or saved", async () => {
      const unread = auditOf(records, { readHead: async () => away });
      expect((await exported(source([], { audit: unread }))).result).toEqual(away);
      const unsaved = auditOf([], { saveHead: async () => away });
      expect((await imported(await exportedHead(), [], { audit: unsaved })).result).toEqual(away);
    });
  });

  it('is left out, with a warning, if the state already has one', async () => {
    const own = [{ hash: 'h', text: 't' }];
    const { result } = await imported(await exportedAudit(), [], { audit: auditOf(own) });
    expect(result).toMatchObject({
      ok: true,
      value: { fleets: 1 },
      problems: [{ code: 'state', severity: 'warning' }],
    });
    expect(own).toHaveLength(1);
  });
  it('needs no warning if it was already imported', async () => {
    const own = [...records, { hash: 'h', text: 't' }];
    const { result } = await imported(await exportedAudit(), [], { audit: auditOf(own) });
    expect(result).toEqual(ok({ runs: 0, fleets: 1, rollouts: 0, known: 0, uncovered: [] }));
    expect(own).toHaveLength(records.length + 1);
  });
  it("fails if it can't be read or written", async () => {
    const lines = await exportedAudit();
    for (const method of ['page', 'restore'])
      expect(
        (await imported(lines, [], { audit: auditOf([], { [method]: async () => away }) })).result,
      ).toEqual(away);
    expect((await exported(source([], { audit: auditOf([], { page: async () => away }) }))).result).toEqual(
      away,
    );
  });
});

describe('the inventories of a transfer', () => {
  const key = '0123456789abcdef';
  const line = (account: string) => JSON.stringify({ type: 'inventory', account, text: '{}' });

  it('are exported as they are, and a damaged one is left out with a warning', async () => {
    const texts = { [key]: '{}' };
    const damaged = problem('inventory-cache', 'damaged', { hint: 'pull' });
    const { lines, result } = await exported(source([], { inventories: inventoriesOf(texts, [damaged]) }));
    expect(lines.filter((text) => text.includes('"inventory"'))).toEqual([`${line(key)}\n`]);
    expect(result).toMatchObject({ ok: true, problems: [{ severity: 'warning', message: 'damaged' }] });
  });

  it('are not exported at all if the state fails', async () => {
    const failing = inventoriesOf({}, away.problems);
    expect((await exported(source([], { inventories: failing }))).result).toEqual(away);
    const unlisted = { ...inventoriesOf({}), keys: async () => away };
    expect((await exported(source([], { inventories: unlisted }))).result).toEqual(away);
  });

  it('are imported, and a key that could name another file is refused', async () => {
    const texts: Record<string, string> = {};
    const into = source([], { inventories: inventoriesOf(texts) });
    expect(await importState(into, each([header, line(key)]), 'f')).toMatchObject({ ok: true });
    expect(texts).toEqual({ [key]: '{}' });
    expect(await importState(into, each([header, line('../../../x')]), 'f')).toMatchObject({
      ok: false,
      problems: [{ place: { line: 2 } }],
    });
    const full = source([], { inventories: { ...inventoriesOf({}), save: async () => away } });
    expect(await importState(full, each([header, line(key)]), 'f')).toMatchObject({
      ok: false,
      problems: [{ message: 'away', place: { line: 2 } }],
    });
  });
});
