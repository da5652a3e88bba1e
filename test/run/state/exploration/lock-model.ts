import {
  epochFile,
  type FenceCheck,
  fenceOf,
  freeFile,
  hasWon,
  highestIn,
  removableBelow,
} from '../../../../src/run/state/files/lock-epochs.ts';
import type { Model } from './explore.ts';

/**
 * Processes that share the folder of a lock, and a person who unlocks it. Each operation on a file is its own step,
 * and a process may stand still for any time between two of them, which is what freezing and waking are. A lock may lapse
 * at any moment: the folder must be safe even if every clock is wrong.
 *
 * The one assumption is that a list of the folder shows it at one moment.
 */
export interface LockRules {
  readonly hasWon: typeof hasWon;
  readonly removableBelow: typeof removableBelow;
  readonly fenceOf: (epoch: number) => readonly FenceCheck[];
  /** How a lock is released: with a mark, or by removing its file after a check. */
  readonly release: 'mark' | 'check and remove';
}

export const realLockRules: LockRules = { hasWon, removableBelow, fenceOf, release: 'mark' };

export interface LockModelOptions {
  readonly processes: number;
  /** How often each process requests the lock. */
  readonly rounds: number;
  readonly rules?: LockRules;
}

interface LockFile {
  /** Identifies its creator and the round. */
  readonly token: string;
  readonly lapsed: boolean;
}

type Phase =
  | 'idle'
  | 'found held'
  | 'found free'
  | 'linked'
  | 'cleaning'
  | 'holding'
  | 'fencing'
  | 'releasing'
  | 'crashed';

interface Process {
  readonly phase: Phase;
  readonly rounds: number;
  readonly epoch: number;
  /** The files that it still has to remove. */
  readonly toRemove: readonly string[];
  /** How many checks of its fence have passed. */
  readonly checked: number;
  /** Its epoch had ended before its fence began. */
  readonly isPast: boolean;
}

interface World {
  readonly files: Readonly<Record<string, LockFile>>;
  /** The epochs that were created, and those that were released or unlocked. */
  readonly reached: number;
  readonly freed: readonly number[];
  /** The latest epoch that a process took. */
  readonly taken: number;
  readonly processes: readonly Process[];
  /** The epoch that a person has seen; null before that and undefined after the unlock. */
  readonly person: number | null | undefined;
  readonly breach: string;
}

export const lockLaws = {
  fence: 'a fence passes after its epoch has ended',
  twice: 'a process takes an epoch that is not the next',
} as const;

export function lockModel({ processes, rounds, rules = realLockRules }: LockModelOptions): Model<World> {
  const idle: Process = {
    phase: 'idle',
    rounds,
    epoch: 0,
    toRemove: [],
    checked: 0,
    isPast: false,
  };

  function next(world: World, found: (event: string, world: World) => void): void {
    const { files, person } = world;
    const names = Object.keys(files);
    for (const [name, file] of Object.entries(files))
      if (!file.lapsed && name.endsWith('.json'))
        found(`${name} lapses`, { ...world, files: { ...files, [name]: { ...file, lapsed: true } } });
    const { epoch: highest, isFree } = highestIn(names);
    if (person === null && highest > 0 && !isFree)
      found(`a person sees epoch ${highest}`, { ...world, person: highest });
    if (typeof person === 'number')
      found(`a person unlocks epoch ${person}`, { ...freed(world, person, 'person'), person: undefined });
    for (const [index, process] of world.processes.entries())
      if (process.phase !== 'crashed')
        act(world, index, (what, changes, rest = world) =>
          found(`process ${index} ${what}`, {
            ...rest,
            processes: rest.processes.with(index, { ...process, ...changes }),
          }),
        );
  }

  function act(
    world: World,
    index: number,
    say: (what: string, changes: Partial<Process>, rest?: World) => void,
  ): void {
    const process = world.processes[index] as Process;
    const { files } = world;
    const { epoch, phase, toRemove } = process;
    const names = Object.keys(files);
    const token = `${index}.${process.rounds}`;
    const over: Partial<Process> = { ...idle, rounds: process.rounds - 1 };
    if (phase !== 'idle') say('crashes', { ...idle, phase: 'crashed', rounds: process.rounds });
    switch (phase) {
      case 'idle': {
        if (process.rounds === 0) break;
        const highest = highestIn(names);
        if (highest.epoch === 0 || highest.isFree)
          say(`finds epoch ${highest.epoch} free`, { phase: 'found free', epoch: highest.epoch + 1 });
        else say(`finds epoch ${highest.epoch} held`, { phase: 'found held', epoch: highest.epoch });
        break;
      }
      case 'found held': {
        const file = files[epochFile(epoch)];
        const owner = world.processes[Number(file?.token.split('.')[0])];
        if (file?.lapsed === true || owner?.phase === 'crashed')
          say(`finds epoch ${epoch} lapsed or dead`, { phase: 'found free', epoch: epoch + 1 });
        else say('looks again later', idleAgain(process));
        break;
      }
      case 'found free': {
        const name = epochFile(epoch);
        if (name in files) say(`finds that ${name} exists`, idleAgain(process));
        else
          say(
            `creates ${name}`,
            { phase: 'linked' },
            {
              ...world,
              files: { ...files, [name]: { token, lapsed: false } },
              reached: Math.max(world.reached, epoch),
            },
          );
        break;
      }
      case 'linked': {
        if (!rules.hasWon(names, epoch)) {
          say('sees that another was faster', over);
          break;
        }
        const breach = epoch <= world.taken ? lockLaws.twice : world.breach;
        say(
          `takes epoch ${epoch}`,
          { phase: 'cleaning', toRemove: rules.removableBelow(names, epoch) },
          { ...world, breach, taken: Math.max(world.taken, epoch) },
        );
        break;
      }
      case 'cleaning': {
        const [name, ...rest] = toRemove;
        if (name === undefined) say('has removed the earlier epochs', { phase: 'holding' });
        else say(`removes ${name}`, { toRemove: rest }, { ...world, files: without(files, name) });
        break;
      }
      case 'holding': {
        const name = epochFile(epoch);
        const own = files[name];
        if (own?.token === token && own.lapsed)
          say('renews', {}, { ...world, files: { ...files, [name]: { ...own, lapsed: false } } });
        const isPast = world.reached > epoch || world.freed.includes(epoch);
        check({ ...process, phase: 'fencing', checked: 0, isPast });
        if (rules.release === 'mark') say('gives the lock back', over, freed(world, epoch, token));
        else if (own?.token === token) say('checks that the lock is its own', { phase: 'releasing' });
        break;
      }
      case 'fencing':
        check(process);
        break;
      case 'releasing':
        say('removes the lock', over, { ...world, files: without(files, epochFile(epoch)) });
        break;
      case 'crashed':
        break;
    }

    function check(asked: Process): void {
      const checks = rules.fenceOf(epoch);
      const { file = '', must } = checks[asked.checked] ?? {};
      const passes = must === 'be its own' ? files[file]?.token === token : !(file in files);
      const step = `checks ${file}`;
      if (!passes) say(`${step} and stops`, over);
      else if (asked.checked + 1 < checks.length) say(step, { ...asked, checked: asked.checked + 1 });
      else {
        const breach = asked.isPast ? lockLaws.fence : world.breach;
        say(`${step} and acts`, { phase: 'holding', checked: 0, isPast: false }, { ...world, breach });
      }
    }
  }

  return {
    initial: {
      files: {},
      reached: 0,
      freed: [],
      taken: 0,
      processes: Array.from({ length: processes }, () => idle),
      person: null,
      breach: '',
    },
    next,
    keyOf: (world) => JSON.stringify({ ...world, files: Object.entries(world.files).sort(byName) }),
    breachOf: ({ breach }) => (breach === '' ? undefined : breach),
  };
}

function idleAgain({ rounds }: Process): Partial<Process> {
  return { phase: 'idle', rounds, epoch: 0 };
}

function freed(world: World, epoch: number, token: string): World {
  const name = freeFile(epoch);
  const files = name in world.files ? world.files : { ...world.files, [name]: { token, lapsed: false } };
  const all = world.freed.includes(epoch) ? world.freed : [...world.freed, epoch].sort((a, b) => a - b);
  return { ...world, files, freed: all };
}

function without(files: World['files'], name: string): World['files'] {
  const { [name]: _, ...rest } = files;
  return rest;
}

function byName([a]: readonly [string, LockFile], [b]: readonly [string, LockFile]): number {
  return a < b ? -1 : 1;
}
