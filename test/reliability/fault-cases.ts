import type { Edit } from '../../src/service/emulator/edit.ts';
import { changesFleet, type EmulatedAction } from '../../src/service/emulator/emulated-action.ts';
import type { FaultEffect, FaultRule } from '../../src/service/emulator/fault.ts';
import { afterwards, runUntilSettled } from './crash-cases.ts';
import { allBreaches, differences } from './laws.ts';
import { type Case, callNames, type Row, type Sample } from './row.ts';
import { everything, installsAndLetterCase, type SmallFleet, smallFleets } from './small-fleets.ts';
import { createWorld } from './world.ts';

/** One thing that goes wrong with calls. */
interface Fault {
  readonly what: string;
  readonly effect: FaultEffect;
  readonly on: 'lists' | 'all calls';
  /** What it means for the caller of a write. */
  readonly write?: 'harmless' | 'refused' | 'not done, no answer' | 'done, no answer';
}

const faults: readonly Fault[] = [
  { what: 'stale list', effect: { kind: 'stale-list', writes: 3 }, on: 'lists' },
  { what: 'truncated list (valid JSON)', effect: { kind: 'short-list', share: 0.5 }, on: 'lists' },
  { what: 'list with repeated hosts', effect: { kind: 'repeated-hosts', hosts: 2 }, on: 'lists' },
  {
    what: 'truncated JSON',
    effect: { kind: 'truncated-body', share: 0.6 },
    on: 'all calls',
    write: 'harmless',
  },
  { what: '429', effect: { kind: 'rate-limit', retryDelay: 2 }, on: 'all calls', write: 'refused' },
  {
    what: '500, call not executed',
    effect: { kind: 'status', status: 500 },
    on: 'all calls',
    write: 'not done, no answer',
  },
  {
    what: '500, call executed',
    effect: { kind: 'status', status: 500, when: 'after' },
    on: 'all calls',
    write: 'done, no answer',
  },
  {
    what: 'connection dropped before the call',
    effect: { kind: 'drop', when: 'before' },
    on: 'all calls',
    write: 'not done, no answer',
  },
  {
    what: 'connection dropped after the call',
    effect: { kind: 'drop', when: 'after' },
    on: 'all calls',
    write: 'done, no answer',
  },
  {
    what: 'reply after 90 s',
    effect: { kind: 'slow-reply', ms: 90_000 },
    on: 'all calls',
    write: 'harmless',
  },
  {
    what: 'connection refused',
    effect: { kind: 'refuse-connection' },
    on: 'all calls',
    write: 'refused',
  },
];

/** How often a fault comes: with one call of an action, with its first three, or with all. */
const spells = ['once', 'three times', 'lasting'] as const;
type Spell = (typeof spells)[number];

/** Every fault, at each call of each action that can suffer it, in every variant. */
export function faultRows(): readonly Row[] {
  const actions = Object.entries(callNames) as readonly (readonly [EmulatedAction, string])[];
  return faults.flatMap((fault) =>
    actions
      .filter(([action]) => fault.on === 'all calls' || !changesFleet(action))
      .map(
        ([action, at]): Row => ({
          what: fault.what,
          at,
          run: async (sample) =>
            (await Promise.all(spells.map((spell) => tries(fault, action, spell, sample)))).flat(),
        }),
      ),
  );
}

/** The correct exit codes for a run that suffers the fault: 0 succeeded, the others describe what is left. */
function rightExits({ fault, action, spell, doubt }: Try): readonly number[] {
  if (changesFleet(action)) return rightExitsOfWrite(fault, action, spell);
  // An install whose response is lost is unknown, whatever the lists show.
  const settled = doubt === 'installAntivirus' ? 5 : 0;
  const isReread = action === 'listHosts';
  switch (fault.effect.kind) {
    case 'stale-list':
    case 'short-list':
      return action === 'listHostsWithGroups' ? [settled, 5, 8] : isReread ? [settled, 5] : [0, settled, 8];
    case 'repeated-hosts':
      // Before the first step such a list refuses the plan; after the last one it proves nothing.
      return isReread ? [5] : [1, 5, 8];
    case 'slow-reply':
      return [settled];
    default:
      return spell === 'lasting' ? [isReread ? 5 : 1] : [settled];
  }
}

function rightExitsOfWrite(fault: Fault, action: EmulatedAction, spell: Spell): readonly number[] {
  const isInstall = action === 'installAntivirus';
  // The response to an install is the only one with a body, so only there something can be cut off.
  if (fault.effect.kind === 'truncated-body') return [isInstall ? 5 : 0];
  if (fault.write === 'harmless') return [0];
  if (fault.write === 'refused') return [spell === 'lasting' ? 5 : 0];
  if (isInstall) return [5];
  if (spell === 'once') return [0];
  return fault.write === 'not done, no answer' && spell === 'lasting' ? [5] : [0, 5];
}

/** Lists are read again only if something is in doubt, so a lost response comes first. */
const doubts: readonly (EmulatedAction | null)[] = [
  null,
  'renameHost',
  'moveHosts',
  'installAntivirus',
  'deleteHosts',
];

async function tries(
  fault: Fault,
  action: EmulatedAction,
  spell: Spell,
  sample: Sample,
): Promise<readonly Case[]> {
  const fleets = changesFleet(action) ? smallFleets : [everything, installsAndLetterCase];
  const cases: Case[] = [];
  let tried = 0;
  for (const fleet of fleets) {
    for (const doubt of changesFleet(action) ? [null] : doubts) {
      for (let nth = 1; nth <= 12; nth += 1) {
        if (sample(tried)) {
          const suffered = await suffer(fleet, { fault, action, spell, doubt, nth });
          if (suffered === undefined) break;
          cases.push(suffered);
        }
        tried += 1;
        if (spell !== 'once') break;
      }
    }
  }
  return cases;
}

interface Try {
  readonly fault: Fault;
  readonly action: EmulatedAction;
  readonly spell: Spell;
  /** The action whose first response is lost. */
  readonly doubt: EmulatedAction | null;
  readonly nth: number;
}

/** What stale lists do not show yet. */
const recent: readonly Edit[] = [
  { kind: 'rename', id: '1', name: 'renamed just now' },
  { kind: 'move', id: '2', groupId: '11' },
  { kind: 'enroll', host: { id: '1000', name: 'newcomer' } },
];

/** Undefined: the action has fewer calls than that. */
async function suffer(fleet: SmallFleet, tried: Try): Promise<Case | undefined> {
  const { fault, action, spell, doubt, nth } = tried;
  const world = createWorld(fleet, {
    faults: [
      ...(doubt === null
        ? []
        : [{ action: doubt, nth: 1, effect: { kind: 'drop', when: 'after' } } as const]),
      ruleFor(fault.effect, action, spell, nth),
    ],
  });
  const human = fault.effect.kind === 'stale-list' ? { human: { before: 0, edits: recent } } : {};
  const first = await world.run(human);
  if (world.emulator.requests.filter((request) => request.action === action).length < nth) return undefined;
  world.setFaults([]);
  const second = await runUntilSettled(world);
  const through = second.kind === 'ended' && second.exit === 0;
  const exit = first.kind === 'dead' ? null : first.exit;
  const told = first.kind === 'dead' ? [] : first.problems.map((each) => each.message);
  const right = rightExits(tried);
  return {
    title: [
      `${fleet.title}: ${fault.what}, ${spell}, from call ${nth} of ${action}`,
      ...(doubt === null ? [] : [`with the first reply to ${doubt} lost`]),
    ].join(', '),
    exit,
    next: second.kind === 'dead' ? null : second.exit,
    breaches: [
      ...(exit !== null && right.includes(exit)
        ? []
        : [`the run exited with ${exit}, not with ${right.join(' or ')}: ${told.join('; ')}`]),
      ...(exit !== 0 && told.length === 0 ? [`the run exited with ${exit} without a word`] : []),
      ...(through ? [] : ['the next run, without faults, did not come through']),
      ...(through
        ? await afterwards(world, { installs: 1 })
        : [...allBreaches(world), ...differences(world, { converged: false })]),
    ],
  };
}

function ruleFor(effect: FaultEffect, action: EmulatedAction, spell: Spell, nth: number): FaultRule {
  switch (spell) {
    case 'once':
      return { action, nth, effect };
    case 'three times':
      return { action, nth: [1, 2, 3], effect };
    case 'lasting':
      return { action, effect };
  }
}
