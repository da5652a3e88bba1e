import { parseExactJson } from '../../src/core/lib/exact-json.ts';
import type { Desired } from '../../src/core/model/desired.ts';
import { type Observed, observeTable } from '../../src/core/model/observed.ts';
import { compare } from '../../src/core/plan/difference/compare.ts';
import { planPieces } from '../../src/core/plan/document/plan-document.ts';
import { isSurelySettled } from '../../src/core/plan/guards/is-settled.ts';
import { makePlan } from '../../src/core/plan/make-plan.ts';
import { orderChanges } from '../../src/core/plan/ordering/order-changes.ts';
import { outcomeOf } from '../../src/core/plan/ordering/outcome.ts';
import { makeSteps } from '../../src/core/plan/ordering/steps.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import { readDesired } from '../../src/input/read-desired.ts';
import { plainColor } from '../../src/output/review/color.ts';
import { toRows } from '../../src/output/review/rows.ts';
import { paintPlan } from '../../src/output/review/terminal.ts';
import { readAnswer } from '../../src/service/client/read-answer.ts';
import { checkHostIds } from '../../src/service/wire/check-ids.ts';
import { fleetListReader } from '../../src/service/wire/fleet-list-reader.ts';
import { median, timeOf } from '../measure/in-turns.ts';
import { type Form, filesOf, listOf } from './fleet.ts';

type FleetList = NonNullable<ReturnType<typeof fleetListReader.fast>>;

const at = '2026-11-21T09:00:00Z';
const account = { companyId: '1', service: 'bench' };

/**
 * The timed stages, in the order in which a plan is made; each is a ratio to the first. `core` is the sum of match and
 * diff, order, steps and settle; `plan` is all of it with guard, policies, summary and undo.
 */
export const stages = [
  'JSON.parse',
  'exact JSON',
  'read list',
  'desired',
  'diff',
  'order',
  'steps',
  'settle',
  'core',
  'plan',
  'paint',
  'document',
] as const;
type Stage = (typeof stages)[number];

/** Median times in milliseconds: every stage once a round, one after another. */
export function timeStages(form: Form, hosts: number, rounds: number): ReadonlyMap<Stage, number> {
  const list = listOf(hosts);
  const files = filesOf(form, hosts);
  const times = new Map<Stage, number[]>(stages.map((stage) => [stage, []]));
  const time = <T>(stage: Stage, work: () => T): T => {
    let result: T | undefined;
    times.get(stage)?.push(timeOf(() => (result = work())));
    return result as T;
  };
  for (let round = 0; round < rounds; round += 1) {
    time('JSON.parse', () => JSON.parse(new TextDecoder().decode(list)) as unknown);
    time('exact JSON', () => parseExactJson(list));
    const observed = time('read list', () => readList(list));
    const desired = time('desired', () => readFiles(files));
    times.get('core')?.push(timeCore(time, desired, readList(list)));
    const plan = time('plan', () => planOf(desired, observed));
    time('paint', () => paintPlan(toRows(plan), { color: plainColor, columns: 120 }));
    time('document', () => {
      for (const piece of planPieces(plan)) if (piece === '') throw new Error('an empty piece');
    });
  }
  return new Map([...times].map(([stage, taken]) => [stage, median(taken)]));
}

type Time = <T>(stage: Stage, work: () => T) => T;

/** One stage of a plan after another, on a fleet without any index. */
function timeCore(time: Time, desired: Desired, observed: Observed): number {
  const inputs = { desired, observed, account, now: at };
  return timeOf(() => {
    const difference = time('diff', () => compare(inputs, observed));
    const { ordering, renames } = time('order', () => {
      const made = orderChanges(difference, inputs);
      return { ordering: made, renames: made.steps };
    });
    const { changes, changeOf } = difference;
    time('steps', () =>
      makeSteps({ desired, changes, refreshes: [], changeOf, renames, batchSize: 1000, deleteFirst: false }),
    );
    const isSettled = time('settle', () => isSurelySettled(inputs, difference, outcomeOf(ordering.blocked)));
    if (!isSettled) throw new Error('the plan does not come to rest at once');
  });
}

/** As the client and the reader of fleets do, from the bytes of the response on. */
export function readList(body: Uint8Array): Observed {
  const reading = readAnswer(
    'listHostsWithGroups',
    { status: 200, headers: {}, body },
    { aliases: {}, holdsSecret: () => false, now: 0, reader: fleetListReader },
  );
  if (!reading.ok) throw new Error(reading.failure.problem.message);
  const { groups, hosts } = reading.value as FleetList;
  const observed = observeTable(hosts, { takenAt: at, lists: [], groups });
  if (checkHostIds(observed).length > 0) throw new Error('an id is listed twice');
  return observed;
}

export function readFiles(files: Readonly<Record<string, string>>): Desired {
  const read = readDesired([{ file: 'fleet.yaml', text: files['fleet.yaml'] ?? '' }], {
    openTable: (file) => ({ ok: true, value: { file, text: files[file] ?? '' }, problems: [] }),
  });
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return read.value;
}

export function planOf(desired: Desired, observed: Observed): Plan {
  const plan = makePlan({ desired, observed, account, now: at });
  if (!plan.applicable || plan.steps.length === 0) throw new Error('that is no plan to measure');
  return plan;
}
