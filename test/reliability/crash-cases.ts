import { printPlan, readPlan } from '../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../src/core/plan/types/plan.ts';
import type { FaultRule } from '../../src/service/emulator/fault.ts';
import { allBreaches, differences, repeatedInstalls } from './laws.ts';
import { type DeathMoment, deathMoments } from './mortal-process.ts';
import type { Ended } from './one-run.ts';
import { type Case, callNames, type Row, type Sample } from './row.ts';
import { type SmallFleet, smallFleets } from './small-fleets.ts';
import { createWorld, type World } from './world.ts';

/** How the run after a death begins. */
export const restarts = ['plans anew', 'applies the same saved plan'] as const;
type Restart = (typeof restarts)[number];

/** Every call of every small fleet's run, and every moment of dying at it; then the run after it. */
export function crashRows(): readonly Row[] {
  return deathMoments.flatMap((moment) =>
    Object.entries(callNames)
      .filter(([action]) => action !== 'listHosts')
      .map(
        ([action, at]): Row => ({
          what: `crash: ${moment}`,
          at,
          run: (sample) => deathsAt(action, moment, sample),
        }),
      ),
  );
}

async function deathsAt(action: string, moment: DeathMoment, sample: Sample): Promise<readonly Case[]> {
  const cases: Case[] = [];
  let nth = 0;
  for (const fleet of smallFleets) {
    for (const restart of restarts) {
      const saved = restart === 'plans anew' ? undefined : await savedPlan(fleet);
      for (const [call, each] of (await callsOf(fleet, saved)).entries()) {
        if (each === action && sample(nth++))
          cases.push(...(await dieOnce(fleet, { call, moment, restart, saved })));
      }
    }
  }
  return cases;
}

interface Try {
  readonly call: number;
  readonly moment: DeathMoment;
  readonly restart: Restart;
  readonly saved: Plan | undefined;
}

async function dieOnce(fleet: SmallFleet, { call, moment, restart, saved }: Try): Promise<readonly Case[]> {
  const world = createWorld(fleet);
  const plan = saved === undefined ? {} : { saved };
  const first = await world.run({ death: { call, moment }, ...plan });
  await world.drain();
  const cases: Case[] = [];
  for (const journal of ['kept', 'lost'] as const) {
    const next = world.fork();
    if (journal === 'lost') next.shelf.lose();
    const second = await runUntilSettled(next, plan);
    cases.push({
      title: `${fleet.title}: death at call ${call}, ${moment}; the next run ${restart}, journal ${journal}`,
      exit: first.kind === 'dead' ? null : first.exit,
      next: second.kind === 'dead' ? null : second.exit,
      breaches: [
        ...(second.kind === 'ended' && second.exit !== 0
          ? [
              `the next run exited with ${second.exit}: ${second.problems.map((each) => each.message).join('; ')}`,
            ]
          : []),
        ...(await afterwards(next, { installs: journal === 'kept' ? 1 : 2 })),
      ],
    });
  }
  return cases;
}

/** Longer than an install takes, and than a refreshed host may take to report. */
const settlingMs = 3 * 3600 * 1000;

/**
 * The next run; if it leaves an install in doubt, it has to end with 5 and report it, and later runs settle it: a read
 * that shows the install, or a refresh and a host that still reports none.
 */
export async function runUntilSettled(
  world: World,
  options: Parameters<World['run']>[0] = {},
): Promise<Ended> {
  let ended = await world.run(options);
  for (let tries = 0; tries < 3 && ended.kind === 'ended' && isLeftInDoubt(ended); tries += 1) {
    await world.clock.sleep(settlingMs);
    ended = await world.run();
  }
  return ended;
}

function isLeftInDoubt({ exit, plan, account }: Extract<Ended, { readonly kind: 'ended' }>): boolean {
  const pending = account?.pendingInstalls ?? plan?.pendingInstalls ?? [];
  return exit === 5 && pending.some(({ state }) => state === 'in-doubt');
}

/** What must hold once a run has come through: the wanted fleet, nothing else touched, and nothing left to do. */
export async function afterwards(
  world: World,
  options: { readonly installs: number },
): Promise<readonly string[]> {
  const writes = world.writes.length;
  // The last run may itself have found nothing to do.
  const again = world.plans.at(-1)?.steps.length === 0 ? null : await world.run();
  return [
    ...allBreaches(world),
    ...differences(world, { converged: true }),
    ...repeatedInstalls(world, options.installs),
    ...(again?.kind === 'ended' && again.exit !== 0 ? [`planning again exited with ${again.exit}`] : []),
    ...(world.writes.length > writes ? ['planning again found something to do'] : []),
  ];
}

/** The plan of an undisturbed fleet, written and read back. */
export async function savedPlan(fleet: SmallFleet): Promise<Plan> {
  const world = createWorld(fleet);
  await world.run({ death: { call: callsBeforeWriting(fleet), moment: 'before the call' } });
  const plan = world.plans[0];
  if (plan === undefined) throw new Error(`no plan for ${fleet.title}`);
  const read = readPlan(printPlan(plan), 'plan.json');
  if (!read.ok) throw new Error('a plan did not survive its document');
  return read.value;
}

function callsBeforeWriting(fleet: SmallFleet): number {
  return fleet.entries.some((entry) => entry.antivirus === true) ? 2 : 1;
}

/** The actions of an undisturbed run, in the order of its calls. */
export async function callsOf(
  fleet: SmallFleet,
  saved?: Plan,
  faults: readonly FaultRule[] = [],
): Promise<readonly string[]> {
  const world = createWorld(fleet, { faults });
  await world.run(saved === undefined ? {} : { saved });
  return world.emulator.requests.map(({ action }) => String(action));
}
