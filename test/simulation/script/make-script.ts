import type { Edit } from '../../../src/service/emulator/edit.ts';
import type { FaultEffect } from '../../../src/service/emulator/fault.ts';
import { createRandom, type Random } from '../time/random.ts';
import { people } from './people.ts';
import type { Act, DesiredHost, Script, SimulatedAccount, TimedAct } from './script.ts';

const minute = 60_000;
const cadenceMs = 10 * minute;

/** The groups of each account, by id. */
export const groups = { '10': 'Berlin', '11': 'Paris' } as const;

/** Names are few, so that they collide, swap and go around. */
const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** The history of a seed: the actions of people and the faults, with their times. */
export function makeScript(seed: number): Script {
  const random = createRandom(seed);
  const made = Array.from({ length: 1 + random.below(3) }, (_, at) => makeAccount(at, random));
  const hasRollouts = made.length > 1 && createRandom(seed + 0x2010).isLikely(0.4);
  const hasInstalls = createRandom(seed + 0x1257).isLikely(0.4);
  const accounts = withInstalls(
    hasRollouts ? made.map(forRollouts) : made,
    hasInstalls,
    createRandom(seed + 0x1258),
  );
  const machines = 1 + random.below(3);
  const endsAt = (10 + random.below(40)) * minute;
  const count = 10 + random.below(50);
  const isCalm = random.isLikely(0.15);
  const acts = Array.from({ length: count }, () => ({
    at: random.below(endsAt),
    act: makeAct(accounts, machines, isCalm, random),
  })).flatMap((each) =>
    each.act.kind === 'decide' && !isCalm && random.isLikely(0.5)
      ? [each, { at: each.at + each.act.afterMs + random.below(8_000), act: makeTrouble(machines, random) }]
      : [each],
  );
  const more = makeMore(accounts, endsAt, createRandom(seed + 0xf4ee));
  const lies = isCalm ? [] : makeLies(endsAt, createRandom(seed + 0x11e5));
  const takeovers = isCalm ? [] : makeTakeovers(accounts, machines, endsAt, createRandom(seed + 0x7a6e));
  const rollouts = hasRollouts ? makeRollouts(accounts, machines, endsAt, createRandom(seed + 0x2011)) : [];
  const races = isCalm ? [] : makeRaces(accounts, machines, endsAt, createRandom(seed + 0x4ace));
  const installs = hasInstalls
    ? makeInstalls(accounts, machines, isCalm, endsAt, createRandom(seed + 0x1259))
    : [];
  const silences = isCalm ? [] : makeSilences(endsAt, createRandom(seed + 0x511e));
  const latencyMs = random.isLikely(0.5) ? random.below(400) : 0;
  return {
    seed,
    accounts,
    machines,
    cadenceMs,
    tickMs: 5_000,
    latencyMs,
    ...more,
    acts: [
      ...acts,
      ...more.acts,
      ...lies,
      ...takeovers,
      ...rollouts,
      ...races,
      ...installs,
      ...silences,
    ].toSorted((a, b) => a.at - b.at),
    endsAt,
  };
}

/** What people do about freezes, runs and differences, in about half of the histories. */
function makeMore(
  accounts: readonly SimulatedAccount[],
  endsAt: number,
  random: Random,
): Pick<Script, 'acts' | 'freeze'> {
  if (random.isLikely(0.5)) return { acts: [] };
  const from = random.below(endsAt);
  const freeze = random.isLikely(0.5) ? { from, until: from + random.below(endsAt - from) } : undefined;
  const acts = Array.from({ length: random.below(8) }, () => ({
    at: random.below(endsAt),
    act: {
      kind: random.pick(['override', 'undo', 'ignore'] as const),
      account: random.pick(accounts).name,
      forMs: random.below(15 * minute),
    },
  }));
  return { acts, ...(freeze === undefined ? {} : { freeze }) };
}

/** In some histories, the service gives hosts other names than the requests. */
function makeLies(endsAt: number, random: Random): readonly TimedAct[] {
  if (random.isLikely(0.8)) return [];
  return Array.from({ length: 1 + random.below(3) }, () => ({
    at: random.below(endsAt),
    act: {
      kind: 'misbehave',
      how: { share: random.pick([0.3, 1]), effects: [], isRenaming: true },
      forMs: random.below(10 * minute),
    },
  }));
}

/** In some histories, a worker dies during a run, and someone changes a host of it before the next worker looks. */
function makeTakeovers(
  accounts: readonly SimulatedAccount[],
  machines: number,
  endsAt: number,
  random: Random,
): readonly TimedAct[] {
  if (random.isLikely(0.85)) return [];
  return Array.from({ length: 4 }, (_, turn): readonly TimedAct[] => {
    const account = random.pick(accounts);
    const at = random.below(endsAt);
    const id = String(1 + random.below(account.hosts));
    const begin = at + 45_000;
    const kill: Act = { kind: 'kill', machine: random.below(machines), forMs: random.below(minute) };
    const edit: Edit = { kind: 'rename', id, name: 'by hand' };
    return [
      {
        at,
        act: { kind: 'commit', account: account.name, author: 'bob', hosts: [{ id, name: `H${turn}` }] },
      },
      {
        at: begin,
        act: { kind: 'decide', account: account.name, person: 'ada', decision: 'approved', afterMs: 0 },
      },
      { at: begin + random.below(5_000), act: kill },
      { at: begin + 5_000 + random.below(10_000), act: { kind: 'edit', account: account.name, edit } },
    ];
  }).flat();
}

/**
 * Someone commits just before the source is looked at, and two others approve. `runsFrom` is about when the run begins:
 * that of an account in mode `correct` needs nobody.
 */
function makeApproved(
  { name, mode, mostRenames }: SimulatedAccount,
  hosts: readonly DesiredHost[],
  endsAt: number,
  random: Random,
): { readonly acts: readonly TimedAct[]; readonly runsFrom: number } {
  const at = random.below(endsAt / minute) * minute + 50_000;
  const approvedAt = at + 40_000;
  const isByItself = mode === 'correct' && hosts.length <= mostRenames;
  return {
    runsFrom: isByItself ? at + 16_000 : approvedAt,
    acts: [
      { at, act: { kind: 'commit', account: name, author: 'bob', hosts } },
      ...['ada', 'cyd'].map(
        (person, turn): TimedAct => ({
          at: approvedAt + turn * 100,
          act: { kind: 'decide', account: name, person, decision: 'approved', afterMs: 0 },
        }),
      ),
    ],
  };
}

/** In some histories, machines freeze during runs for longer than a lease, and someone gives away the names that hosts get. */
function makeRaces(
  accounts: readonly SimulatedAccount[],
  machines: number,
  endsAt: number,
  random: Random,
): readonly TimedAct[] {
  if (random.isLikely(0.8)) return [];
  return Array.from({ length: 4 }, (_, turn): readonly TimedAct[] => {
    const account = random.pick(accounts);
    const hosts = Array.from({ length: account.hosts - 1 }, (__, at) => ({
      id: String(at + 1),
      name: `R${turn}-${at}`,
    }));
    const { acts, runsFrom } = makeApproved(account, hosts, endsAt, random);
    const freeze = (): Act => ({
      kind: 'freeze',
      machine: random.below(machines),
      forMs: 15_000 + random.below(45_000),
    });
    const taken = (): Act => ({
      kind: 'edit',
      account: account.name,
      edit: { kind: 'rename', id: String(account.hosts), name: random.pick(hosts).name },
    });
    const race = random.isLikely(0.5) ? freeze() : taken();
    return [...acts, { at: runsFrom + random.below(10_000), act: race }];
  }).flat();
}

/** Installs take no time, some minutes, or longer than a history. */
function withInstalls(
  accounts: readonly SimulatedAccount[],
  hasInstalls: boolean,
  random: Random,
): readonly SimulatedAccount[] {
  if (!hasInstalls) return accounts;
  return accounts.map((account) => ({
    ...account,
    installTakesMs: random.pick([0, 3 * minute, 20 * minute, 14_400 * minute]),
  }));
}

/** In some histories, people want anti-virus on hosts, and requests, replies and machines are lost meanwhile. */
function makeInstalls(
  accounts: readonly SimulatedAccount[],
  machines: number,
  isCalm: boolean,
  endsAt: number,
  random: Random,
): readonly TimedAct[] {
  return Array.from({ length: 1 + random.below(3) }, (_, turn): readonly TimedAct[] => {
    const account = random.pick(accounts);
    const hosts = Array.from({ length: 1 + random.below(account.hosts) }, (__, at) => ({
      id: String(at + 1),
      hasAntivirus: true,
      ...(random.isLikely(0.3) ? { name: `I${turn}-${at}` } : {}),
    }));
    const { acts, runsFrom } = makeApproved(account, hosts, endsAt, random);
    const lost = (): Act => ({
      kind: 'misbehave',
      how: { share: 1, effects: [{ kind: 'drop', when: random.pick(['before', 'after']) }] },
      forMs: random.below(20_000),
    });
    const trouble = random.isLikely(0.5) ? lost() : makeTrouble(machines, random);
    return isCalm || random.isLikely(0.3)
      ? acts
      : [...acts, { at: runsFrom + random.below(8_000), act: trouble }];
  }).flat();
}

/** In some histories, nobody can get notices for a while. */
function makeSilences(endsAt: number, random: Random): readonly TimedAct[] {
  if (random.isLikely(0.6)) return [];
  return Array.from({ length: 1 + random.below(4) }, () => ({
    at: random.below(endsAt),
    act: {
      kind: 'lose-receiver',
      how: random.pick(['away', 'refuses', 'loses-replies'] as const),
      forMs: random.below(8 * minute),
    },
  }));
}

/** One person may approve the plans of a rollout. */
function forRollouts(account: SimulatedAccount): SimulatedAccount {
  return { ...account, mode: account.mode === 'correct' ? 'correct' : 'propose', required: 1 };
}

/** In some histories, someone applies plans in waves, and machines and people interfere. */
function makeRollouts(
  accounts: readonly SimulatedAccount[],
  machines: number,
  endsAt: number,
  random: Random,
): readonly TimedAct[] {
  return Array.from({ length: 1 + random.below(3) }, (): readonly TimedAct[] => {
    const at = random.below(endsAt);
    const begin = at + 30_000 + random.below(3 * minute);
    const commits = accounts.map(
      (account): TimedAct => ({
        at,
        act: { kind: 'commit', account: account.name, author: 'bob', hosts: makeCommit(account, random) },
      }),
    );
    const others: readonly Act[] = [
      makeTrouble(machines, random),
      { kind: 'end-rollouts', how: random.pick(['stop', 'abort'] as const) },
      { kind: 'lose-source', forMs: random.below(5 * minute) },
    ];
    const canary = random.pick(accounts).name;
    return [
      ...commits,
      { at: begin, act: { kind: 'start-rollout', person: 'ada', canary } },
      ...others.flatMap((act) => (random.isLikely(0.4) ? [{ at: begin + random.below(20_000), act }] : [])),
    ];
  }).flat();
}

function makeAccount(at: number, random: Random): SimulatedAccount {
  return {
    name: `account-${at}`,
    mode: random.pick(['correct', 'correct', 'propose', 'propose', 'propose', 'observe']),
    hosts: 2 + random.below(6),
    required: random.isLikely(0.3) ? 2 : 1,
    notAuthor: random.isLikely(0.4),
    mostRenames: random.isLikely(0.5) ? 1 + random.below(2) : 100,
  };
}

function makeAct(
  accounts: readonly SimulatedAccount[],
  machines: number,
  isCalm: boolean,
  random: Random,
): Act {
  const account = random.pick(accounts);
  const { name } = account;
  const machine = random.below(machines);
  const chance = random.next() * (isCalm ? 0.72 : 1);
  if (chance < 0.13) return { kind: 'edit', account: name, edit: makeEdit(account, random) };
  if (chance < 0.27)
    return { kind: 'commit', account: name, author: random.pick(people), hosts: makeCommit(account, random) };
  if (chance < 0.58)
    return {
      kind: 'decide',
      account: name,
      person: random.pick(people),
      decision: random.isLikely(0.85) ? 'approved' : 'rejected',
      afterMs: random.isLikely(0.5) ? 0 : random.below(3 * minute),
    };
  if (chance < 0.61) return { kind: 'pause', account: name, forMs: random.below(15 * minute) };
  if (chance < 0.63) return { kind: 'resume', account: name };
  if (chance < 0.66) return { kind: 'stop', account: name };
  if (chance < 0.69) return { kind: 'plan-again', account: name };
  if (chance < 0.72) return { kind: 'check', account: name };
  if (chance < 0.9) return makeCrash(machines, random);
  if (chance < 0.92) return { kind: 'jump', machine, ms: random.below(30 * minute) };
  // An outage may be longer than the times between tries.
  if (chance < 0.93)
    return {
      kind: 'misbehave',
      how: { share: 1, effects: [{ kind: 'status', status: 503 }] },
      forMs: random.below(40 * minute),
    };
  return {
    kind: 'misbehave',
    how: { share: random.pick([0.1, 0.3, 1]), effects: [makeFault(random)] },
    forMs: random.below(5 * minute),
  };
}

/** What happens while a run begins. */
function makeTrouble(machines: number, random: Random): Act {
  if (random.isLikely(0.7)) return makeCrash(machines, random);
  const effect: FaultEffect = { kind: 'drop', when: random.pick(['before', 'after']) };
  return {
    kind: 'misbehave',
    how: { share: random.pick([0.3, 1]), effects: [effect] },
    forMs: random.below(20_000),
  };
}

/** Most runs take seconds, so faults are aimed at the moments after a decision. */
function makeCrash(machines: number, random: Random): Act {
  const machine = random.below(machines);
  const chance = random.next();
  if (chance < 0.35) return { kind: 'kill', machine, forMs: random.below(2 * minute) };
  if (chance < 0.75) return { kind: 'freeze', machine, forMs: random.below(40_000) };
  return {
    kind: 'fail-over',
    loss: random.pick(['before', 'after']),
    forMs: random.below(random.isLikely(0.7) ? 8_000 : 60_000),
  };
}

function makeEdit(account: SimulatedAccount, random: Random): Edit {
  const id = String(1 + random.below(account.hosts));
  switch (random.below(6)) {
    case 0:
      return { kind: 'move', id, groupId: random.pick(['10', '11', '-1']) };
    case 1:
      return { kind: 'enroll', host: { id: String(100 + random.below(20)), name: random.pick(names) } };
    case 2:
      return { kind: 'online', id, online: random.isLikely(0.5) };
    case 3:
      return random.isLikely(0.2) ? { kind: 'delete', id } : { kind: 'rename', id, name: 'by hand' };
    default:
      return { kind: 'rename', id, name: random.pick(names) };
  }
}

function makeCommit(account: SimulatedAccount, random: Random): readonly DesiredHost[] {
  const free = [...names];
  return Array.from({ length: 1 + random.below(3) }, (): DesiredHost => {
    const id = String(1 + random.below(account.hosts));
    if (random.isLikely(0.06)) return { id, isAbsent: true };
    const [name] = free.splice(random.below(free.length), 1);
    const group = random.isLikely(0.3) ? random.pick(Object.values(groups)) : undefined;
    return {
      id,
      ...(name === undefined || random.isLikely(0.2) ? {} : { name }),
      ...(group === undefined ? {} : { group }),
    };
  });
}

function makeFault(random: Random): FaultEffect {
  switch (random.below(9)) {
    case 0:
      return { kind: 'refuse-connection' };
    case 1:
      return { kind: 'drop', when: 'before' };
    case 2:
      return { kind: 'drop', when: 'after' };
    case 3:
      return { kind: 'status', status: random.pick([500, 502, 503, 401, 403]) };
    case 4:
      return { kind: 'rate-limit' };
    case 5:
      return { kind: 'slow-reply', ms: random.below(90_000) };
    case 6:
      return { kind: 'nothing-done' };
    case 7:
      return { kind: 'short-list', share: random.next() };
    default:
      return { kind: 'stale-list', writes: 1 + random.below(3) };
  }
}
