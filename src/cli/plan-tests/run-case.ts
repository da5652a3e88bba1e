import { createVirtualClock } from '../../core/lib/virtual-clock.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Facts } from '../../core/model/facts.ts';
import type { Observed } from '../../core/model/observed.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { checkPlan, type PlanDifference } from '../../core/plan/guards/check-plan.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { DesiredLoader } from '../../input/load-desired.ts';
import type { PlanCase, TestFleet } from '../../input/plan-tests/plan-case.ts';
import { readDesired } from '../../input/read-desired.ts';
import { openTablesIn } from '../../input/sources/open-table.ts';
import { checkNamed, readNamed } from '../../input/sources/project.ts';
import { exitForPlan } from '../../run/apply/exit-code.ts';
import { createAdaptivePacer } from '../../service/client/adaptive-pacer.ts';
import { createClient } from '../../service/client/create-client.ts';
import { createEmulator } from '../../service/emulator/emulator.ts';
import type { FleetState } from '../../service/emulator/fleet-state.ts';
import { readSeed } from '../../service/emulator/seed.ts';
import { createFleetReader } from '../../service/wire/create-fleet-reader.ts';
import { readCustomFields } from '../../service/wire/read-custom-fields.ts';
import type { Context } from '../shell/context.ts';

/** The result of one case. */
export interface CaseResult {
  readonly file: string;
  readonly case: PlanCase;
  /** Empty if the case passed. */
  readonly differences: readonly PlanDifference[];
}

/** Plans as `rampart plan` does, on the fleet of the case. A fleet or a desired state that can't be read is a failure. */
export async function runCase(
  context: Context,
  file: string,
  tested: PlanCase,
  defaults: readonly string[],
  load: DesiredLoader,
): Promise<Result<CaseResult>> {
  const now = tested.now ?? new Date(context.io.clock.now()).toISOString();
  const fleet = await fleetOfCase(context, tested.observed, now);
  const desired = await desiredOf(context, tested, defaults, load);
  if (!fleet.ok || !desired.ok) {
    return failed(...(fleet.ok ? [] : fleet.problems), ...(desired.ok ? [] : desired.problems));
  }
  const { observed, facts } = fleet.value;
  const { ack, ...options } = tested.options;
  const plan = makePlan({
    desired: desired.value,
    observed,
    facts: tested.account === undefined ? facts : { ...facts, account: tested.account },
    account: { companyId: desired.value.companyId?.value ?? null, service: 'test' },
    now,
    acks: ack,
    ...options,
  });
  const differences = checkPlan(tested.expect, {
    plan,
    observed,
    policy: desired.value.policy,
    exit: exitForPlan(plan, { detailed: false }),
  });
  return ok({ file, case: tested, differences });
}

async function desiredOf(
  { io }: Context,
  { desired, place }: PlanCase,
  defaults: readonly string[],
  load: DesiredLoader,
): Promise<Result<Desired>> {
  if (desired === undefined) return load(defaults);
  if (desired.kind === 'files') {
    const outside = desired.paths.flatMap((path) => checkNamed(path, place.file, io.cwd).problems);
    return outside.length > 0 ? failed(...outside.map((each) => ({ ...each, place }))) : load(desired.paths);
  }
  const { file, text, root } = desired;
  return readDesired([{ file, text: text.text, parsed: { text, root } }], {
    openTable: openTablesIn(io.cwd),
  });
}

/** A fleet to plan on, with all known facts. */
interface TestedFleet {
  readonly observed: Observed;
  readonly facts: Facts;
}

/** Reads a snapshot, or a seed in the state that the service would show at this time (RFC 3339). */
async function fleetOfCase(context: Context, source: TestFleet, now: string): Promise<Result<TestedFleet>> {
  if (source.kind === 'inline') {
    const { file, line, text } = source;
    const seeded = await readSeeded(text, file, now);
    // Only a problem needs the lines before the seed: they make its place right.
    return seeded.ok ? seeded : readSeeded('\n'.repeat(line - 1) + text, file, now);
  }
  const read = readNamed(source.path, source.place.file, context.io.cwd);
  if (!read.ok) return failed(...read.problems.map((each) => ({ ...each, place: source.place })));
  const text = Buffer.from(read.value.bytes).toString();
  if (!/\.json$/i.test(source.path)) return readSeeded(text, source.path, now);
  return readSnapshot(text, source.path);
}

async function readSeeded(text: string, file: string, now: string): Promise<Result<TestedFleet>> {
  const startsAt = Date.parse(now);
  const state = readSeed(text, file, startsAt);
  if (!state.ok) return state;
  const clock = createVirtualClock(startsAt, { auto: true });
  const { exchange, credentials } = createEmulator({ state: state.value, clock });
  const { companyId, psk } = credentials;
  const client = createClient({
    exchange,
    credentials: { kind: 'basic', companyId, psk },
    clock,
    pacers: () => createAdaptivePacer({ clock }),
  });
  const observed = await createFleetReader(client, { clock }).read({ antivirus: true });
  const fields = await readCustomFields(client, { clock });
  await client.close();
  if (!observed.ok) return observed;
  if (!fields.ok) return fields;
  const { lists, categories, customFieldsOf } = fields.value;
  return ok({
    observed: observed.value,
    facts: {
      lists,
      customFieldsOf,
      // A small fleet without categories proves nothing about those of the account.
      ...(categories.length > 0 && { customFieldCategories: categories.map(({ name }) => name) }),
      inventoryOf: inventoryIn(state.value),
    },
  });
}

/** Tests know the inventory of every host immediately; a service sends it report by report. */
function inventoryIn({ hosts }: FleetState): Facts['inventoryOf'] {
  const byId = new Map<string, (typeof hosts)[number]>(hosts.map((host) => [host.id, host]));
  return (kind, id) => byId.get(id)?.inventory?.[kind];
}
