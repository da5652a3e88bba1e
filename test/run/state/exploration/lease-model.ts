import {
  isHeld,
  type LeaseRow,
  leaseMs,
  marginMs,
  maySend,
  mayTake,
  releasedBy,
  renewed,
  takenBy,
} from '../../../../src/run/state/lease/lease-rules.ts';
import type { Model } from './explore.ts';

/**
 * Runs, a backend and a service, with everything between them asynchronous: a request or a reply may be late, be lost
 * or arrive after its sender has died; a run may stand still for any time between two of its steps, which is what
 * freezing and waking are; it may crash at any of them. Time passes in ticks. All times are relative to the backend's
 * present, so states that differ only in the time of day are one.
 *
 * The one assumption is that of the lease itself: a run that has just looked at its stopwatch sends within the margin.
 */
export interface Rules {
  readonly mayTake: typeof mayTake;
  readonly takenBy: typeof takenBy;
  readonly mayBegin: typeof isHeld;
  readonly mayRenew: typeof isHeld;
  /** `skew` is the error of the clock on the run's machine, in milliseconds; the real rule ignores it. */
  readonly renewed: (row: LeaseRow, now: number, skew: number) => LeaseRow;
  readonly releasedBy: typeof releasedBy;
  readonly maySend: typeof maySend;
  /** The run's stopwatch when a response grants the lease that it requested this long ago. */
  readonly sinceAsked: (sinceRequest: number) => number;
  readonly waitsForBegin: boolean;
}

/** What the implementation does. */
export const realRules: Rules = {
  mayTake,
  takenBy,
  mayBegin: isHeld,
  mayRenew: isHeld,
  renewed: (row, now) => renewed(row, now),
  releasedBy,
  maySend,
  sinceAsked: (sinceRequest) => sinceRequest,
  waitsForBegin: true,
};

export interface LeaseModelOptions {
  readonly runs: number;
  readonly steps: number;
  /** How much time passes at once, in milliseconds. */
  readonly tickMs: number;
  readonly rules?: Rules;
  /** How far the clocks of the machines are off, in milliseconds. */
  readonly skew?: number;
  /** Whether a run can see that the process of another one has died, as on one machine. */
  readonly seesDeath?: boolean;
}

/** A request to the backend, from its sending to the moment when its response reaches the run. */
interface Request {
  readonly kind: 'take' | 'renew' | 'begin' | 'release';
  readonly age: number;
  /** `out`: not yet carried out. The others are responses in flight, kept if the time of their arrival matters. */
  readonly stage: 'out' | 'yes' | 'no';
  /** Of a `take`: the epoch whose holder was dead at the time of the request. */
  readonly deadEpoch: number;
}

type Phase = 'new' | 'taking' | 'ready' | 'beginning' | 'begun' | 'checked' | 'sent' | 'ended' | 'crashed';

interface Run {
  readonly phase: Phase;
  readonly epoch: number;
  /** By its stopwatch, in milliseconds. */
  readonly asked: number;
  readonly lost: boolean;
  readonly step: number;
  /** A bit for each step with a durable `begin` of its epoch. */
  readonly begun: number;
  /** Since it looked at its stopwatch before sending, in milliseconds. */
  readonly checked: number;
  readonly work: Request | null;
  readonly renewal: Request | null;
}

interface World {
  readonly row: LeaseRow | null;
  /** The lease of the row's epoch has lapsed at some time. */
  readonly lapsed: boolean;
  /** A bit for each step: calls in flight, and the effects in the fleet. */
  readonly onTheWay: number;
  readonly done: number;
  readonly runs: readonly Run[];
  readonly breach: string;
}

export const laws = {
  overlap: 'a run sends while another run has the lease',
  unrecorded: 'a call is sent without a durable begin',
  begin: 'a begin is written by a run that does not have the lease',
  release: 'a run gives back the lease of another run',
  lapsed: 'a lease that lapsed is held again',
  stuck: 'no next run can take the lease',
  diverged: 'the next run does not converge',
} as const;

const newRun: Run = {
  phase: 'new',
  epoch: 0,
  asked: 0,
  lost: false,
  step: 0,
  begun: 0,
  checked: 0,
  work: null,
  renewal: null,
};

export function leaseModel(options: LeaseModelOptions): Model<World> {
  const { runs, steps, tickMs, rules = realRules, skew = 0, seesDeath = true } = options;
  const everything = (1 << steps) - 1;
  const request = (kind: Request['kind'], deadEpoch = 0): Request => ({
    kind,
    age: 0,
    stage: 'out',
    deadEpoch,
  });

  /** Carries out a request whose sender may be dead by now. */
  function carryOut(
    world: World,
    run: Run,
    { kind, deadEpoch }: Request,
  ): readonly [after: World, yes: boolean, heard?: Partial<Run>] {
    const { row } = world;
    switch (kind) {
      case 'take': {
        if (!rules.mayTake(row, 0, deadEpoch)) return [world, false];
        const taken = rules.takenBy(row, 'run', 0);
        // The run gets its epoch from the response, and uses it for nothing before.
        return [{ ...world, row: taken, lapsed: false }, true, { epoch: taken.epoch }];
      }
      case 'renew': {
        if (row === null || !rules.mayRenew(row, run.epoch, 0)) return [world, false];
        const breach = world.lapsed && isHeld(row, run.epoch, -Infinity) ? laws.lapsed : world.breach;
        return [{ ...world, row: rules.renewed(row, 0, skew), breach }, true];
      }
      case 'begin': {
        if (!rules.mayBegin(row, run.epoch, 0)) return [world, false];
        const breach = row?.epoch === run.epoch ? world.breach : laws.begin;
        return [{ ...world, breach }, true, { begun: run.begun | (1 << run.step) }];
      }
      case 'release': {
        const after = rules.releasedBy(row, run.epoch, 0);
        const isOthers = row !== null && row.holder !== null && row.epoch !== run.epoch;
        const breach = isOthers && after?.holder === null ? laws.release : world.breach;
        return [{ ...world, row: after, breach }, true];
      }
    }
  }

  function send(world: World, run: Run): World {
    const bit = 1 << run.step;
    const isRecorded = (run.begun & bit) !== 0;
    const breach = !isRecorded
      ? laws.unrecorded
      : world.row?.epoch !== run.epoch
        ? laws.overlap
        : world.breach;
    return { ...world, onTheWay: world.onTheWay | bit, breach };
  }

  function next(world: World, found: (event: string, world: World) => void): void {
    const { row } = world;
    const canWait = world.runs.every(
      ({ phase, checked }) => phase !== 'checked' || checked + tickMs <= marginMs,
    );
    if (canWait) found('time passes', tick(world, tickMs));
    for (let step = 0; step < steps; step += 1) {
      const bit = 1 << step;
      if ((world.onTheWay & bit) !== 0)
        found(`the service carries out step ${step}`, {
          ...world,
          onTheWay: world.onTheWay & ~bit,
          done: world.done | bit,
        });
    }
    for (const [index, run] of world.runs.entries()) {
      const put = (changes: Partial<Run>, rest: World = world): World => ({
        ...rest,
        runs: rest.runs.with(index, { ...run, ...changes }),
      });
      const say = (what: string, after: World) => found(`run ${index} ${what}`, after);

      for (const slot of ['work', 'renewal'] as const) {
        const asked = run[slot];
        if (asked?.stage !== 'out') continue;
        const [after, yes, heard = {}] = carryOut(world, run, asked);
        const name = `'s ${asked.kind}`;
        if (isOver(run)) {
          say(`${name} arrives after its end`, put({ ...heard, [slot]: null }, after));
          say(`${name} never arrives`, put({ [slot]: null }));
          continue;
        }
        say(`${name} is carried out: ${yes}`, put({ ...heard, ...answered(run, asked, yes) }, after));
        if (yes)
          say(`${name} is carried out, its reply lost`, put({ ...heard, ...unanswered(run, asked) }, after));
        say(`${name} does not arrive`, put(unanswered(run, asked)));
      }

      if (isOver(run)) continue;
      say('crashes', put({ ...over(run), phase: 'crashed', work: stillOut(run.work) }));

      if (run.renewal !== null && run.renewal.stage !== 'out') {
        const { stage, age } = run.renewal;
        if (stage === 'yes') say('has renewed', put({ renewal: null, asked: rules.sinceAsked(age) }));
        else say('could not renew', put({ renewal: null, lost: run.lost || stage === 'no' }));
      }
      const holds = run.phase !== 'new' && run.phase !== 'taking';
      const isCurrent = !run.lost && rules.maySend(run.asked);
      if (holds && run.renewal === null && isCurrent && run.asked > 0)
        say('renews', put({ renewal: request('renew') }));
      const leave = (what: string) =>
        say(what, put({ ...over(run), phase: 'ended', work: request('release') }));

      switch (run.phase) {
        case 'new': {
          const holder = world.runs.find(({ epoch, phase }) => phase === 'crashed' && epoch === row?.epoch);
          const deadEpoch = seesDeath && holder !== undefined ? holder.epoch : 0;
          say('asks for the lease', put({ phase: 'taking', work: request('take', deadEpoch) }));
          break;
        }
        case 'taking':
          if (run.work?.stage === 'yes')
            say('has the lease', put({ phase: 'ready', work: null, asked: rules.sinceAsked(run.work.age) }));
          break;
        case 'ready':
          if (run.step >= steps) leave('has done all');
          else if ((world.done & (1 << run.step)) !== 0)
            say('finds a step done', put({ step: run.step + 1 }));
          else if (!isCurrent) leave('finds its lease lost before a begin');
          else say('begins', put({ phase: 'beginning', work: request('begin') }));
          break;
        case 'beginning':
          if (!rules.waitsForBegin) say('goes on without its begin', put({ phase: 'begun', work: null }));
          break;
        case 'begun':
          if (isCurrent) say('looks at its stopwatch', put({ phase: 'checked', checked: 0 }));
          else leave('finds its lease lost before a call');
          break;
        case 'checked':
          say('sends', put({ phase: 'sent', checked: 0 }, send(world, run)));
          break;
        case 'sent':
          if ((world.done & (1 << run.step)) !== 0)
            say('hears the reply', put({ phase: 'ready', step: run.step + 1 }));
          say('hears no reply and tries again', put({ phase: 'begun' }));
          break;
        case 'ended':
        case 'crashed':
          break;
      }
    }
  }

  /** All runs are over: one more, which nothing disturbs. */
  function nextRunFrom(world: World): string | undefined {
    let later = world;
    for (let waited = 0; waited < leaseMs; waited += tickMs) later = tick(later, tickMs);
    const [taken, yes] = carryOut(later, newRun, request('take'));
    if (!yes) return laws.stuck;
    let run: Run = { ...newRun, phase: 'ready', epoch: taken.row?.epoch ?? 0 };
    let after = taken;
    for (let step = 0; step < steps; step += 1) {
      if ((after.done & (1 << step)) !== 0) continue;
      run = { ...run, step };
      const [recorded, may, heard] = carryOut(after, run, request('begin'));
      if (!may || !rules.maySend(0)) return laws.diverged;
      run = { ...run, ...heard };
      after = send(recorded, run);
      after = { ...after, done: after.done | (1 << step) };
    }
    return after.breach !== '' ? after.breach : after.done === everything ? undefined : laws.diverged;
  }

  return {
    initial: {
      row: null,
      lapsed: false,
      onTheWay: 0,
      done: 0,
      runs: Array.from({ length: runs }, () => newRun),
      breach: '',
    },
    next,
    keyOf({ row, lapsed, onTheWay, done, runs: each, breach }) {
      const lease = row === null ? '' : `${row.holder === null ? '-' : '+'}${row.until}${lapsed}`;
      const keys = each.map((run) => keyOfRun(run, row?.epoch ?? 0)).sort();
      return `${lease};${onTheWay};${done};${keys.join(';')};${breach}`;
    },
    breachOf(world) {
      if (world.breach !== '') return world.breach;
      return world.runs.every(isOver) ? nextRunFrom(world) : undefined;
    },
  };
}

function isOver({ phase }: Run): boolean {
  return phase === 'ended' || phase === 'crashed';
}

/** The remains of a run that has ended: its sent requests may still arrive. */
function over(run: Run): Partial<Run> {
  return { asked: 0, lost: false, begun: 0, checked: 0, renewal: stillOut(run.renewal) };
}

function stillOut(asked: Request | null): Request | null {
  return asked?.stage === 'out' ? { ...asked, age: 0 } : null;
}

/** A response that arrives. A refused `begin` ends the run. */
function answered(run: Run, asked: Request, yes: boolean): Partial<Run> {
  if (asked.kind === 'renew') return { renewal: { ...asked, stage: yes ? 'yes' : 'no' } };
  if (asked.kind === 'take') return yes ? { work: { ...asked, stage: 'yes' } } : { phase: 'new', work: null };
  return yes ? { phase: 'begun', work: null } : { ...over(run), phase: 'ended', work: null };
}

/** The request or its response was lost. A run without a lease gives up, and one with a lease tries again. */
function unanswered(run: Run, asked: Request): Partial<Run> {
  if (asked.kind === 'renew') return { renewal: null };
  return asked.kind === 'take'
    ? { ...over(run), phase: 'ended', work: null }
    : { phase: 'ready', work: null };
}

/** Stopwatches and requests older than this make no difference. */
const oldest = leaseMs;

function tick(world: World, ms: number): World {
  const older = (age: number) => Math.min(oldest, age + ms);
  const aged = (each: Request | null) =>
    each?.kind === 'take' || each?.kind === 'renew' ? { ...each, age: older(each.age) } : each;
  const row = world.row === null ? null : { ...world.row, until: Math.max(0, world.row.until - ms) };
  return {
    ...world,
    row,
    lapsed: world.lapsed || (row !== null && row.holder !== null && row.until <= 0),
    runs: world.runs.map((run) =>
      isOver(run)
        ? run
        : {
            ...run,
            asked: run.phase === 'new' || run.phase === 'taking' ? 0 : older(run.asked),
            checked: run.phase === 'checked' ? run.checked + ms : 0,
            work: aged(run.work),
            renewal: aged(run.renewal),
          },
    ),
  };
}

/** Epochs are only ever compared with the row's, so an old one is like any other old one. */
function keyOfRun(run: Run, current: number): string {
  const { phase, asked, lost, step, begun, checked, work, renewal } = run;
  const isCurrent = run.epoch === current;
  if (isOver(run) && work === null && renewal === null) return phase === 'crashed' && isCurrent ? 'x' : '';
  const requests = `${keyOfRequest(work, current)},${keyOfRequest(renewal, current)}`;
  return `${phase},${isCurrent},${lost ? 'lost' : asked},${step},${begun},${checked},${requests}`;
}

function keyOfRequest(asked: Request | null, current: number): string {
  return asked === null
    ? ''
    : `${asked.kind},${asked.stage},${asked.age},${asked.deadEpoch > 0 && asked.deadEpoch === current}`;
}
