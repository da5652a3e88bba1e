import { z } from 'zod';
import { parseJson } from '../../core/lib/parse-json.ts';
import { noFacts } from '../../core/model/facts.ts';
import { printSnapshot, readSnapshot } from '../../core/model/snapshot.ts';
import {
  asWarning,
  failed,
  ok,
  type Problem,
  problem,
  type Result,
  warning,
} from '../../core/problem/problem.ts';
import { type AuditLog, eachRecord } from './audit/audit-log.ts';
import type { StoredRecord } from './audit/chain.ts';
import { parseSignedHead, type SignedHead, signedHeadSchema } from './audit/signed-head.ts';
import type { State } from './interface/state.ts';
import { parseRun } from './journal/parse-run.ts';
import { rolloutEntrySchema, rolloutHeadSchema } from './rollout/rollout-record.ts';
import type { RolloutStore } from './rollout/rollout-store.ts';

/** A rollout in an exported state. Its plans are on lines of their own, so that only one is in memory. */
const rolloutLineSchema = z.looseObject({
  type: z.literal('rollout'),
  head: rolloutHeadSchema,
  events: rolloutEntrySchema.or(z.tuple([])),
});
const rolloutPlanLineSchema = z.looseObject({
  type: z.literal('rollout-plan'),
  rollout_id: z.string(),
  account: z.string(),
  plan: z.string(),
});
type RolloutLine = z.infer<typeof rolloutLineSchema>;
type RolloutPlanLine = z.infer<typeof rolloutPlanLineSchema>;

/** Writes all rollouts, oldest first, each with its plans. The value is how many there are. */
async function exportRollouts(
  { rollouts }: Pick<State, 'rollouts'>,
  print: (line: RolloutLine | RolloutPlanLine) => void,
): Promise<Result<number>> {
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  let count = 0;
  for (const id of ids.value.toReversed()) {
    const read = await rollouts.read(id);
    if (!read.ok) return read;
    // It was removed in the meantime.
    if (read.value === null) continue;
    const { head, events } = read.value;
    print({ type: 'rollout', head, events: [...events] });
    for (const { account } of head.accounts) {
      const plan = await rollouts.readPlan(id, account);
      if (!plan.ok) return plan;
      if (plan.value !== null) print({ type: 'rollout-plan', rollout_id: id, account, plan: plan.value });
    }
    count += 1;
  }
  return ok(count);
}

/** The value is true if the rollout was not there yet. */
async function importRollout(store: RolloutStore, { head, events }: RolloutLine): Promise<Result<boolean>> {
  const known = await store.read(head.rollout_id);
  if (!known.ok) return known;
  if (known.value !== null) return ok(false);
  const created = await store.create(head);
  if (!created.ok) return created;
  if (events.length === 0) return ok(true);
  const appended = await store.append(head.rollout_id, 0, events);
  if (!appended.ok || appended.value) return appended;
  return failed(problem('state', `rollout ${head.rollout_id} changed while it was imported`));
}

const formatVersion = '1.3';

const inventoryLineSchema = z.looseObject({
  type: z.literal('inventory'),
  // Part of a file name.
  account: z.string().regex(/^[0-9a-f]{16}$/),
  text: z.string(),
});

/** One line of an exported state. Runs and fleets have the same text as in a folder. */
const lineSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('state'), format_version: z.string() }),
  z.looseObject({ type: z.literal('run'), journal: z.string() }),
  z.looseObject({ type: z.literal('fleet'), snapshot: z.string() }),
  z.looseObject({ type: z.literal('audit'), hash: z.string(), text: z.string() }),
  z.looseObject({ type: z.literal('audit-head'), head: signedHeadSchema }),
  rolloutLineSchema,
  rolloutPlanLineSchema,
  inventoryLineSchema,
]);
type Line = z.infer<typeof lineSchema>;

/** The counts of an export or import. */
export interface Moved {
  readonly runs: number;
  readonly fleets: number;
  readonly rollouts: number;
  /** Runs that already existed. */
  readonly known: number;
}

export interface Imported extends Moved {
  /** The new runs if no audit log came with them: none of its records covers them. */
  readonly uncovered: readonly string[];
}

/** How many runs are requested at once. */
const page = 500;

/** Writes everything except locks, as one JSON object per line. Unreadable items are left out with a warning. */
export async function exportState(state: State, write: (line: string) => void): Promise<Result<Moved>> {
  const print = (line: Line) => write(`${JSON.stringify(line)}\n`);
  const problems: Problem[] = [];
  let runs = 0;
  let fleets = 0;
  print({ type: 'state', format_version: formatVersion });
  for (let before: string | undefined; ; ) {
    const listed = await state.listRuns({ limit: page, ...(before === undefined ? {} : { before }) });
    if (!listed.ok) return listed;
    problems.push(...listed.problems);
    for (const { head } of listed.value) {
      const run = await state.readRun(head.run_id, head.account);
      if (!run.ok) return run;
      const journal = run.value.records.map((record) => `${JSON.stringify(record)}\n`).join('');
      print({ type: 'run', journal });
      runs += 1;
    }
    before = listed.value.at(-1)?.head.run_id;
    if (before === undefined || listed.value.length + listed.problems.length < page) break;
  }
  const visited = await state.eachFleet(async (fleet) => {
    print({ type: 'fleet', snapshot: printSnapshot({ ...fleet, facts: noFacts }) });
    fleets += 1;
    return ok(null);
  });
  if (!visited.ok) return visited;
  const rollouts = await exportRollouts(state, print);
  if (!rollouts.ok) return rollouts;
  const inventories = await exportInventories(state, print);
  if (!inventories.ok) return inventories;
  problems.push(...inventories.problems);
  // Before the records, which then go at least as far as the head.
  const stored = await state.audit.readHead();
  if (!stored.ok) return stored;
  const head = parseSignedHead(stored.value ?? '');
  if (head !== undefined) print({ type: 'audit-head', head });
  const audited = await eachRecord(state.audit, (record) => print({ type: 'audit', ...record }));
  return audited.ok ? ok({ runs, fleets, rollouts: rollouts.value, known: 0 }, problems) : audited;
}

/** A damaged inventory is left out with a warning. */
async function exportInventories(state: State, print: (line: Line) => void): Promise<Result<null>> {
  const keys = await state.inventories.keys();
  if (!keys.ok) return keys;
  const problems: Problem[] = [];
  for (const account of keys.value) {
    const read = await state.inventories.read(account);
    if (read.ok && read.value !== null) print({ type: 'inventory', account, text: read.value });
    if (!read.ok && read.problems.some(({ code }) => code !== 'inventory-cache')) return read;
    if (!read.ok) problems.push(...read.problems.map(asWarning));
  }
  return ok(null, problems);
}

/**
 * Imports an export into a state. Existing runs are not changed. The audit log is imported only if the state's own is
 * empty, because two chains can't be merged.
 */
export async function importState(
  state: State,
  lines: AsyncIterable<string>,
  file: string,
): Promise<Result<Imported>> {
  let number = 0;
  const added: string[] = [];
  let known = 0;
  let fleets = 0;
  let rollouts = 0;
  const audit: StoredRecord[] = [];
  let head: SignedHead | undefined;
  const importLine = async (line: Line): Promise<Result<unknown>> => {
    switch (line.type) {
      case 'state':
        return line.format_version.startsWith('1.') ? ok(null) : failed(otherFormat(line.format_version));
      case 'run': {
        const run = parseRun(line.journal, file);
        const imported = run.ok ? await state.importRun(run.value) : run;
        if (run.ok && imported.ok && imported.value) added.push(run.value.head.run_id);
        else known += 1;
        return imported;
      }
      case 'audit':
        audit.push({ hash: line.hash, text: line.text });
        return ok(null);
      case 'audit-head':
        head = line.head;
        return ok(null);
      case 'rollout': {
        const imported = await importRollout(state.rollouts, line);
        if (imported.ok && imported.value) rollouts += 1;
        return imported;
      }
      case 'rollout-plan':
        return state.rollouts.savePlan(line.rollout_id, line.account, line.plan);
      case 'inventory':
        return state.inventories.save(line.account, line.text);
      case 'fleet': {
        fleets += 1;
        const fleet = readSnapshot(line.snapshot, file);
        if (!fleet.ok) return fleet;
        return state.saveFleet(fleet.value.account, fleet.value.observed, fleet.value.earlier);
      }
    }
  };
  for await (const text of lines) {
    number += 1;
    if (text === '') continue;
    const line = lineSchema.safeParse(parseJson(text)).data;
    const imported =
      line === undefined || (number === 1) !== (line.type === 'state')
        ? failed(problem('state', 'this is not a line of an exported state'))
        : await importLine(line);
    const place = { file, line: number, col: 1 };
    if (!imported.ok) return failed(...imported.problems.map((each) => ({ ...each, place })));
  }
  if (number === 0)
    return failed(problem('state', `${file} is empty`, { hint: 'write it with: rampart state export' }));
  const restored = await restoreAudit(state.audit, audit, head);
  if (!restored.ok) return restored;
  const uncovered = restored.value ? [] : added;
  return ok({ runs: added.length, fleets, rollouts, known, uncovered }, restored.problems);
}

function otherFormat(version: string): Problem {
  return problem('state', `the export has format ${version}; this version of Rampart reads ${formatVersion}`);
}

/** The value is true if the log of the state is now the exported one, or the beginning of it. */
async function restoreAudit(
  audit: AuditLog,
  records: readonly StoredRecord[],
  head: SignedHead | undefined,
): Promise<Result<boolean>> {
  if (records.length === 0) return ok(false);
  const start = await audit.page(0);
  if (!start.ok) return start;
  const [first] = start.value.records;
  if (first === undefined) {
    const restored = await audit.restore(records);
    const saved = restored.ok && head !== undefined ? await audit.saveHead(head) : restored;
    return saved.ok ? ok(true) : saved;
  }
  // It was imported before.
  if (first.hash === records[0]?.hash) return ok(true);
  return ok(false, [
    warning('state', 'this state already has an audit log, so the exported audit log was not imported', {
      hint: 'keep the export: it contains the audit log',
    }),
  ]);
}
