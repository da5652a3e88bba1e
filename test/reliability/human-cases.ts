import type { Plan } from '../../src/core/plan/types/plan.ts';
import type { Edit } from '../../src/service/emulator/edit.ts';
import type { FaultRule } from '../../src/service/emulator/fault.ts';
import { afterwards, callsOf, runUntilSettled, savedPlan } from './crash-cases.ts';
import { allBreaches, differences } from './laws.ts';
import type { Ended } from './one-run.ts';
import { type Case, callNames, type Row, type Sample } from './row.ts';
import { everything, type SmallFleet, smallFleets } from './small-fleets.ts';
import { createWorld, type World } from './world.ts';

const deeds = [
  'renames a host',
  'renames a host to a desired name',
  'moves a host',
  'deletes a host',
  'enrolls a host with a desired name',
  'enrolls an unrelated host',
] as const;
type Deed = (typeof deeds)[number];

interface Circumstance {
  readonly title: string;
  readonly faults: readonly FaultRule[];
  /** The plan was made and saved before. */
  readonly isSaved: boolean;
}

const usual: Circumstance = { title: 'plans and applies', faults: [], isSaved: false };
const circumstances: readonly Circumstance[] = [
  usual,
  { title: 'applies a saved plan', faults: [], isSaved: true },
  // Then it reads again during the run, and may see what someone else has done.
  {
    title: 'loses the replies to its first rename, move and deletion',
    faults: [
      { action: ['renameHost', 'moveHosts', 'deleteHosts'], nth: 1, effect: { kind: 'drop', when: 'after' } },
    ],
    isSaved: false,
  },
];

/** Every host, every deed of someone else, just before each call of a run is carried out. */
export function humanRows(): readonly Row[] {
  return deeds.flatMap((deed) =>
    Object.entries(callNames).map(
      ([action, at]): Row => ({
        what: `someone ${deed}`,
        at,
        run: (sample) => deedsAt(action, deed, sample),
      }),
    ),
  );
}

async function deedsAt(action: string, deed: Deed, sample: Sample): Promise<readonly Case[]> {
  const cases: Case[] = [];
  let nth = 0;
  for (const fleet of smallFleets) {
    for (const circumstance of fleet === everything ? circumstances : [usual]) {
      const saved = circumstance.isSaved ? await savedPlan(fleet) : undefined;
      for (const [before, each] of (await callsOf(fleet, saved, circumstance.faults)).entries()) {
        if (each !== action) continue;
        for (const edit of editsOf(fleet, deed)) {
          if (sample(nth++)) cases.push(await interfere(fleet, { before, edit, circumstance, saved }));
        }
      }
    }
  }
  return cases;
}

function editsOf(fleet: SmallFleet, deed: Deed): readonly Edit[] {
  const ids = fleet.hosts.map(({ id }) => String(id));
  // An entry without an id refers to the host that has its name, so only a pinned host can lose one.
  const wanted = fleet.entries.flatMap(({ id, name }) => (id === undefined ? [] : (name ?? [])));
  const bystander = String(fleet.hosts.find(({ name }) => name === 'bystander')?.id);
  switch (deed) {
    case 'renames a host':
      return ids.map((id) => ({ kind: 'rename', id, name: 'by hand' }));
    case 'renames a host to a desired name':
      return wanted.map((name) => ({ kind: 'rename', id: bystander, name }));
    case 'moves a host':
      return fleet.hosts.map(({ id, group }) => ({
        kind: 'move',
        id: String(id),
        groupId: group === 11 ? '10' : '11',
      }));
    case 'deletes a host':
      return ids.map((id) => ({ kind: 'delete', id }));
    case 'enrolls a host with a desired name':
      return wanted.map((name) => ({ kind: 'enroll', host: { id: '1000', name } }));
    case 'enrolls an unrelated host':
      return [{ kind: 'enroll', host: { id: '1000', name: 'newcomer' } }];
  }
}

interface Try {
  readonly before: number;
  readonly edit: Edit;
  readonly circumstance: Circumstance;
  readonly saved: Plan | undefined;
}

async function interfere(fleet: SmallFleet, { before, edit, circumstance, saved }: Try): Promise<Case> {
  const world = createWorld(fleet, { faults: circumstance.faults });
  const plan = saved === undefined ? {} : { saved };
  const first = await world.run({ human: { before, edits: [edit] }, ...plan });
  const unnoticed =
    first.kind === 'ended' && first.exit === 0 && !circumstance.isSaved && before <= lastRead(world)
      ? differences(world, { converged: true }).map((each) => `the run exited with 0, and ${each}`)
      : [];
  const stale = circumstance.isSaved && before === 0 ? notRefused(first, world.writes.length) : [];
  world.setFaults([]);
  const host = edit.kind === 'enroll' ? edit.host.id : edit.id;
  const second = await runUntilSettled(world);
  const through = second.kind === 'ended' && second.exit === 0;
  return {
    title: `${fleet.title}: before call ${before}, ${JSON.stringify(edit)}; the run ${circumstance.title}`,
    exit: first.kind === 'dead' ? null : first.exit,
    next: second.kind === 'dead' ? null : second.exit,
    breaches: [
      ...unnoticed,
      ...stale,
      ...unnamed('the run', first, host),
      ...unnamed('the next run', second, host),
      ...(through
        ? await afterwards(world, { installs: 1 })
        : [...allBreaches(world), ...differences(world, { converged: false })]),
    ],
  };
}

/** A saved plan that no longer fits the fleet is refused before the first write. */
function notRefused(ended: Ended, writes: number): readonly string[] {
  if (ended.kind === 'dead' || ended.exit === 0) return [];
  return ended.exit === 7 && writes === 0
    ? []
    : [`the stale plan exited with ${ended.exit}, after ${writes} calls`];
}

/** The call that reads names and groups for verification. */
function lastRead({ emulator }: World): number {
  return emulator.requests.findLastIndex(({ action }) => action === 'listHostsWithGroups');
}

/** A run that did not succeed names the host that someone else has changed. */
function unnamed(what: string, ended: Ended, host: string): readonly string[] {
  if (ended.kind === 'dead' || ended.exit === 0) return [];
  const named = new Set(ended.problems.flatMap((each) => each.hostIds ?? []));
  const told = ended.problems.map((each) => each.message).join('; ');
  return named.has(host) ? [] : [`${what} exited with ${ended.exit} and did not name ${host}: ${told}`];
}
