import { readTemporaryName } from '../../../src/core/model/temporary-name.ts';
import { readPlan } from '../../../src/core/plan/document/plan-document.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import type { JournalRecord } from '../../../src/run/state/journal/record.ts';
import type { RolloutLog } from '../../../src/run/state/rollout/rollout.ts';
import type { Failure } from '../../../src/server/accounts/decisions/account-state.ts';
import type { PlanRecord } from '../../../src/server/plans/records/plan-record.ts';
import { changePath } from '../../../src/server/plans/rules/change-path.ts';
import type { ServerRun } from '../../../src/server/runs/records/runs.ts';
import { journalsOf } from '../../../src/server/runs/rules/run-record.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ReceivedMessage } from '../cluster/receiver.ts';
import type { SentRequest, Wire } from '../cluster/service.ts';
import { emailOf } from '../script/people.ts';
import type { People, SentDecision } from '../script/perform.ts';
import { isOpenRun } from '../store/run-records.ts';
import type { AccountRow } from '../store/tables.ts';
import { watchNotices } from './notices.ts';
import {
  hasEndedItself,
  hasTurn,
  isLeftBehind,
  rolloutStuckWhy,
  rolloutWith,
  wrongMove,
} from './rollouts.ts';
import { complies, type Seen, seenIn } from './seen.ts';
import { isPausedAt, stuckWhy } from './stuck.ts';
import { type Effect, effectsIn, effectsOf, holdsIn, shows, textOf } from './writes.ts';

export type Law =
  | 'no write without an approval, or within the limits'
  | 'no change while changes are frozen, unless a person overrides that'
  | 'one run of an account at once'
  | 'nobody is asked to approve a plan that changes nothing'
  | 'nothing is repeated'
  | 'nothing is recorded falsely'
  | 'a run is done only if a read after its last write showed it'
  | 'a run fails only because something failed'
  | 'converged only after a read that showed it'
  | 'every approval is applied or explained within two checks'
  | 'after faults end, every account converges or waits for a person within three cadences'
  | 'an account waits only for what is there'
  | 'nothing but people and commits makes checks more frequent'
  | 'every account is checked at least once in a cadence, whatever failed'
  | 'people hear of each plan that waits and of the end of each run'
  | 'people hear of the end of each rollout, and of a source that fails'
  | 'people get each notice once, or its failure is recorded'
  | 'an install is requested once'
  | 'a rollout changes one wave after the other'
  | 'after faults end, every rollout ends'
  | 'no job fails by itself';

/** A law that did not hold. */
export interface Breach {
  readonly law: Law;
  readonly message: string;
  /** Since the beginning, in milliseconds. */
  readonly at: number;
}

/** What happened in a history. */
export interface Counts {
  readonly writes: number;
  readonly checks: number;
  readonly runs: number;
  /** Plans that people approved, and what became of those: applied, without the units that changed, or closed with a reason. */
  readonly approved: number;
  readonly applied: number;
  readonly closed: number;
}

/** Watches everything that leaves the cluster and everything that its database records, and judges it by the laws. */
export interface Judge {
  readonly wire: Wire;
  readonly people: People;
  /** Whoever gets notices has got a message. */
  readonly receives: (message: ReceivedMessage) => void;
  /** After each change of the database. */
  look(): void;
  defect(error: unknown): void;
  /** Once faults have ended and three cadences have passed. */
  lookAtEnd(): void;
  readonly breach: Breach | undefined;
  readonly counts: Counts;
}

/** How many lists of an account are kept as evidence. */
const mostSeen = 60;
/** How long a queued run may take to begin after its approval, if its worker was lost, in milliseconds. */
const mostDelayMs = 3 * 60_000;
/** How long machines and the database may be away, or a run in progress, before a check begins, in milliseconds. */
const mostGapMs = 12 * 60_000;
/** People request some checks, and each run ends with one. On average, consecutive ones are at least the gap apart. */
const mostChecks = 30;
const leastGapMs = 15_000;
/** How long after the beginning of a freeze a run may still send, in milliseconds. */
const graceMs = 5_000;
/** How long the end of a pause may take to show, if no server is up for a while, in milliseconds. */
const mostWaitMs = 5 * 60_000;
/** How long faults of the service explain that a call is repeated, in milliseconds. */
const memoryMs = 10 * 60_000;

/** The service is down, or nothing reaches it. */
const outages: ReadonlySet<string> = new Set([
  'network',
  'timed-out',
  'server-error',
  'malformed-response',
  'unexpected-status',
]);

/** Failures of a run that others may have caused by changing its hosts. */
const byOthers: ReadonlySet<string> = new Set([
  'stale-plan',
  'name-conflict',
  'step-skipped',
  'not-converged',
]);

interface PendingApproval extends SentDecision {
  readonly account: string;
  checks: number;
}

/** What the judge remembers of one account. */
interface Watched {
  row: AccountRow | undefined;
  readonly lists: Seen[];
  readonly inFlight: Set<SentRequest>;
  /** The last writer, and the one before. */
  sender: number | undefined;
  readonly pastSenders: Set<number>;
  /** When each effect of a write was last in the fleet right after it, and when the service last acknowledged it. */
  readonly made: Map<string, number>;
  readonly acknowledged: Map<string, number>;
  /** When its last checks were, in milliseconds. */
  readonly checks: number[];
  /** Since when its approved plan has had neither a run nor a reason to wait for one. */
  idleSince: number | undefined;
  /** The last effect on each attribute of each host, unless someone else has edited the fleet since. */
  readonly latest: Map<string, string>;
  /** When the service last worked a write. */
  lastWriteAt: number;
  /** When each install that the service has accepted is done. */
  readonly installEndsAt: Map<string, number>;
}

export function createJudge(clusterOf: () => Cluster): Judge {
  let breach: Breach | undefined;
  const counts = { writes: 0, checks: 0, runs: 0, approved: 0, applied: 0, closed: 0 };
  const accounts = new Map<string, Watched>();
  const effects = new Map<string, ReadonlyMap<string, readonly Effect[]>>();
  const sent: SentDecision[] = [];
  const pending = new Set<PendingApproval>();
  const openRuns = new Set<string>();
  /** Plans for which people got notices: a newer notice of the same kind replaces one that was not sent yet. */
  const noticed = new Set<string>();
  const rollouts = new Map<string, RolloutLog>();
  /** The sources that can't be read. */
  const away = new Set<string>();

  const fail = (law: Law, message: string) => {
    const { world, beganAt } = clusterOf();
    breach ??= { law, message, at: world.now() - beganAt };
  };
  const watched = (name: string): Watched => {
    const known = accounts.get(name) ?? {
      row: undefined,
      lists: [],
      inFlight: new Set(),
      sender: undefined,
      pastSenders: new Set(),
      made: new Map(),
      acknowledged: new Map(),
      checks: [],
      idleSince: undefined,
      latest: new Map(),
      lastWriteAt: 0,
      installEndsAt: new Map(),
    };
    accounts.set(name, known);
    return known;
  };
  const stepsOfPlan = (id: string): readonly Step[] => {
    const plan = readPlan(clusterOf().database.tables.plans.get(id)?.document ?? '', id);
    if (!plan.ok) throw new Error(plan.problems[0]?.message);
    return plan.value.steps;
  };
  const effectsOfPlan = (id: string): ReadonlyMap<string, readonly Effect[]> => {
    const known = effects.get(id);
    if (known !== undefined) return known;
    const found = new Map(stepsOfPlan(id).map((step) => [step.id, effectsIn(step)]));
    effects.set(id, found);
    return found;
  };
  const openRunAndPlan = (account: string) => {
    const { tables } = clusterOf().database;
    const run = tables.runs.get(tables.openRuns.get(account) ?? '')?.run;
    return { run, plan: tables.plans.get(run?.plan ?? '')?.plan };
  };

  const judgeSender = ({ account, sender, machine }: SentRequest, what: string): void => {
    const known = watched(account);
    for (const other of known.inFlight)
      if (other.sender !== sender)
        fail(
          'one run of an account at once',
          `${machine.name} and ${other.machine.name} change ${account}: ${what}`,
        );
    if (known.pastSenders.has(sender))
      fail(
        'one run of an account at once',
        `${machine.name} changes ${account} after another run has: ${what}`,
      );
    if (known.sender !== undefined && known.sender !== sender) known.pastSenders.add(known.sender);
    known.sender = sender;
  };

  const judgeApproval = ({ account, machine }: SentRequest, asked: readonly Effect[]): void => {
    const law = 'no write without an approval, or within the limits';
    const { run, plan } = openRunAndPlan(account);
    const what = asked.map(textOf).join(', ');
    if (run === undefined || run.state === 'queued' || plan?.state !== 'running') {
      fail(law, `${machine.name} changes ${account} without a run: ${what}`);
      return;
    }
    const planned = [...effectsOfPlan(plan.id).values()].flat();
    // Asking hosts to report their status changes nothing.
    const changes = planned.some(({ kind, to }) => kind !== 'other' || to !== 'refresh');
    if (changes && run.override === null && isFrozenFor(machine))
      fail('no change while changes are frozen, unless a person overrides that', `in ${account}: ${what}`);
    const texts = new Set(planned.map(textOf));
    for (const effect of asked) {
      if (!texts.has(textOf(effect))) fail(law, `${textOf(effect)} in ${account} is not in the plan`);
      if (plan.later?.leftOut.includes(effect.host) === true)
        fail(law, `${textOf(effect)} in ${account} is left out of the plan`);
    }
    const rollout = plan.approvals.at(-1)?.via === 'rollout' ? rolloutWith(plan, tables()) : undefined;
    if (rollout !== undefined && !hasTurn(account, rollout))
      fail('a rollout changes one wave after the other', `${account} is changed before its turn: ${what}`);
    if (!isAllowed(plan, changes)) fail(law, `${account} is changed by a plan that nobody approved: ${what}`);
  };

  /** A run in progress checks each second, and its call may be in flight. A machine knows only its own clock. */
  const isFrozenFor = ({ clock }: SentRequest['machine']): boolean => {
    const { script, beganAt, world } = clusterOf();
    const { from, until } = script.freeze ?? { from: Number.POSITIVE_INFINITY, until: 0 };
    return [clock.now(), world.now()].every((now) => now > beganAt + from + graceMs && now < beganAt + until);
  };

  /** By what people have sent, not by the server's account of it. */
  const isAllowed = (
    { id, account, author, approvals, counts: planned }: PlanRecord,
    changes: boolean,
  ): boolean => {
    const config = clusterOf().accounts.get(account);
    if (config === undefined || approvals.some(({ decision }) => decision === 'rejected')) return false;
    if (!changes) return config.mode !== 'observe';
    if (approvals.length === 0) return config.mode === 'correct' && planned.rename <= config.mostRenames;
    const approvers = new Set(
      sent.filter(({ plan, decision }) => plan === id && decision === 'approved').map(({ person }) => person),
    );
    const recorded = new Set(approvals.map(({ by }) => by.id));
    return (
      recorded.size >= config.required &&
      [...recorded].every((by) => approvers.has(by)) &&
      !(config.notAuthor && [...recorded].some((by) => author?.includes(emailOf(by)) === true))
    );
  };

  const tables = () => clusterOf().database.tables;
  const keyOf = ({ host, kind }: Effect) => `${host} ${kind}`;

  const wire: Wire = {
    sent(given) {
      const asked = effectsOf(given.request);
      if (asked.length === 0) return;
      counts.writes += 1;
      judgeSender(given, asked.map(textOf).join(', '));
      judgeApproval(given, asked);
      watched(given.account).inFlight.add(given);
    },
    arrives({ account, request }) {
      const { service, world, emulatorOf } = clusterOf();
      for (const { kind, host } of effectsOf(request))
        if (kind === 'install' && emulatorOf(account).installs.has(host))
          fail('an install is requested once', `of ${host} in ${account}, which the service has accepted`);
      if (request.method === 'GET' || service.hasMisbehavedSince(world.now() - memoryMs)) return;
      const { latest } = watched(account);
      for (const effect of effectsOf(request))
        if (latest.get(keyOf(effect)) === textOf(effect) && holdsIn(emulatorOf(account), effect))
          fail('nothing is repeated', `${textOf(effect)} in ${account} is sent again`);
    },
    worked({ account, request }, response) {
      const { world, emulatorOf } = clusterOf();
      const known = watched(account);
      if (request.method === 'GET') {
        const list = response?.status === 200 ? seenIn(response.body, world.now()) : undefined;
        if (list !== undefined) known.lists.push(list);
        if (known.lists.length > mostSeen) known.lists.shift();
        return;
      }
      known.lastWriteAt = world.now();
      for (const effect of effectsOf(request)) {
        if (effect.kind === 'install' && emulatorOf(account).installs.has(effect.host)) {
          const ms = clusterOf().accounts.get(account)?.installTakesMs ?? 0;
          known.installEndsAt.set(effect.host, world.now() + ms);
        }
        if (response !== undefined && response.status < 300)
          known.acknowledged.set(textOf(effect), world.now());
        if (!holdsIn(emulatorOf(account), effect)) continue;
        known.made.set(textOf(effect), world.now());
        known.latest.set(keyOf(effect), textOf(effect));
      }
    },
    over: (given) => void watched(given.account).inFlight.delete(given),
  };

  const judgeConverged = ({ name, commit, checkBeganAt, lastCheckAt, health }: AccountRow): void => {
    const desired = clusterOf().repository.hostsAt(commit ?? 'c0', name);
    const from = checkBeganAt?.getTime() ?? 0;
    const to = lastCheckAt?.getTime() ?? 0;
    const lists = watched(name).lists.filter(({ at }) => at >= from && at <= to);
    const isShown = (attributes: 'names' | 'groups' | 'installs') =>
      lists.some((each) => complies(each, desired, attributes));
    const needsGroups = desired.some(({ group }) => group !== undefined);
    const needsInstalls = desired.some(({ hasAntivirus }) => hasAntivirus === true);
    if (!isShown('names') || (needsGroups && !isShown('groups')) || (needsInstalls && !isShown('installs')))
      fail('converged only after a read that showed it', `${name} counts as ${health}`);
  };

  /** A worker may have died before it sent what it had recorded. */
  const isRequested = (account: string, host: string): boolean => {
    const { database, accounts: all } = clusterOf();
    const company = String(1000 + [...all.keys()].indexOf(account));
    return [...database.records.runs.values()]
      .filter(({ head }) => head.account.company_id === company)
      .some(({ records }) =>
        records.some(
          (each) =>
            each.type === 'begin' &&
            each.kind === 'antivirus' &&
            each.changes.some(({ host_id: id }) => id === host),
        ),
      );
  };

  const judgeEnds = (): void => {
    const { tables, records } = clusterOf().database;
    for (const [, id] of tables.openRuns.entries()) openRuns.add(id);
    for (const id of openRuns) {
      const run = tables.runs.get(id)?.run;
      if (run === undefined || isOpenRun(run)) continue;
      openRuns.delete(id);
      counts.runs += 1;
      const journals = journalsOf(run).flatMap((id) => records.runs.get(id)?.records ?? []);
      if (tables.accounts.get(run.account)?.removedAt === null)
        judgeNotice(
          run.account,
          ['applied', 'in_doubt', 'failed'],
          run.plan === null ? `/runs/${run.id}` : changePath(run.plan),
        );
      if (run.plan !== null) judgeJournals(run, run.plan, journals);
      if (run.plan !== null && run.state === 'done') judgeProof(run.account, run.plan, journals);
      judgeFailure(run, journals);
    }
  };

  /**
   * Hosts that people change before the run does are left out, and named: they are no failure of the run. But a unit
   * that has begun can't be left out, and a run fails if a read does not show its changes.
   */
  const judgeFailure = (
    { account, plan, state, startedAt, queuedAt, progress }: ServerRun,
    journals: readonly JournalRecord[],
  ): void => {
    const { service, database, world, emulatorOf } = clusterOf();
    const from = Math.min((startedAt ?? queuedAt).getTime(), world.now() - memoryMs);
    if (state !== 'failed' || service.hasMisbehavedSince(from) || database.hasFailedSince(from)) return;
    const problems = (progress['problems'] ?? []) as readonly Failure[];
    if (problems.some(({ code }) => !byOthers.has(code))) return;
    const hosts = new Map(
      emulatorOf(account)
        .state()
        .hosts.map((host) => [host.id, host]),
    );
    const isUnproven = stepsOfPlan(plan ?? '').some((step) =>
      ('hosts' in step ? step.hosts : [step]).some(({ expects: { hostId, name, groupId } }) => {
        const host = hosts.get(hostId);
        if (host === undefined || readTemporaryName(host.name) !== undefined) return true;
        if (!problems.some(({ code }) => code === 'not-converged')) return false;
        return step.kind === 'move' ? host.groupId === groupId : host.name === name;
      }),
    );
    const isContinued = journals.filter(({ type }) => type === 'run').length > 1;
    if (!isUnproven && !isContinued && unshown(account, plan ?? '', journals).length === 0)
      fail(
        'a run fails only because something failed',
        `a run of ${account} failed: ${problems.map(({ message }) => message).join('; ')}`,
      );
  };

  /**
   * What a run has recorded as done was acknowledged by the service, or in the fleet at a moment of the run. If the run is
   * done as a whole, it was in the fleet.
   */
  const judgeJournals = (run: ServerRun, plan: string, journals: readonly JournalRecord[]): void => {
    const { account, startedAt, state } = run;
    const from = startedAt?.getTime() ?? 0;
    const { lists, made, acknowledged } = watched(account);
    const begun = new Map<string, ReadonlySet<string>>();
    for (const record of journals) {
      if (record.type === 'begin')
        begun.set(record.step, new Set(record.changes.map(({ host_id: id }) => id)));
      if (record.type !== 'outcome' || (record.outcome !== 'done' && record.outcome !== 'already')) continue;
      for (const effect of effectsOfPlan(plan).get(record.step.replace(/-rest$/, '')) ?? []) {
        // A step leaves out the hosts that have changed since the plan.
        if (begun.get(record.step)?.has(effect.host) === false) continue;
        if (record.failed_host_ids?.includes(effect.host) === true) continue;
        const isMade = (made.get(textOf(effect)) ?? 0) >= from;
        // An install that the service has accepted shows only once it is done.
        const isAcknowledged =
          (state !== 'done' || effect.kind === 'install') && (acknowledged.get(textOf(effect)) ?? 0) >= from;
        const isSeen = lists.some((list) => list.at >= from && shows(list, effect));
        if (!isMade && !isAcknowledged && !isSeen && !holdsIn(clusterOf().emulatorOf(account), effect))
          fail(
            'nothing is recorded falsely',
            `${textOf(effect)} in ${account} is recorded as ${record.outcome} by a run that is ${state}`,
          );
      }
    }
  };

  /** Everything that a run wrote, or may have written, and did not write again since. */
  const writtenBy = (plan: string, journals: readonly JournalRecord[]): readonly Effect[] => {
    const written = new Map<string, Map<string, Effect>>();
    for (const record of journals) {
      if (record.type !== 'begin') continue;
      const end = journals.find((each) => each.type === 'outcome' && each.step === record.step);
      const outcome = end?.type === 'outcome' ? end.outcome : 'unknown';
      const unchanged = new Set(end?.type === 'outcome' ? end.failed_host_ids : []);
      if (outcome === 'skipped' || (outcome === 'failed' && unchanged.size === 0)) continue;
      const begun = new Set(record.changes.map(({ host_id: id }) => id));
      for (const effect of effectsOfPlan(plan).get(record.step.replace(/-rest$/, '')) ?? []) {
        const { host, kind } = effect;
        if (!begun.has(host) || unchanged.has(host)) continue;
        written.set(host, kind === 'delete' ? new Map() : (written.get(host) ?? new Map()));
        written.get(host)?.set(kind, effect);
      }
    }
    return [...written.values()].flatMap((effects) => [...effects.values()]);
  };

  /** What no list has shown since the last write. */
  const unshown = (account: string, plan: string, journals: readonly JournalRecord[]): readonly Effect[] => {
    const { lists, lastWriteAt } = watched(account);
    const later = lists.filter(({ at }) => at >= lastWriteAt);
    return writtenBy(plan, journals).filter(
      (effect) =>
        effect.kind !== 'other' && effect.kind !== 'install' && !later.some((list) => shows(list, effect)),
    );
  };

  const judgeProof = (account: string, plan: string, journals: readonly JournalRecord[]): void => {
    for (const effect of unshown(account, plan, journals))
      fail(
        'a run is done only if a read after its last write showed it',
        `no read shows ${textOf(effect)} in ${account}`,
      );
  };

  const judgeApprovals = (row: AccountRow): void => {
    const law = 'every approval is applied or explained within two checks';
    const { database, world } = clusterOf();
    for (const each of pending) {
      if (each.account !== row.name) continue;
      if ((row.checkBeganAt?.getTime() ?? 0) > each.at && row.failure === null) each.checks += 1;
      const plan = database.tables.plans.get(each.plan)?.plan;
      if (plan === undefined) continue;
      const isOver = plan.state === 'stale' || plan.state === 'expired' || plan.state === 'rejected';
      if (isOver && plan.reason === null) fail(law, `the plan of ${row.name} is ${plan.state} for no reason`);
      if (isOver || plan.state === 'done') {
        pending.delete(each);
        if (isOver) counts.closed += 1;
        else counts.applied += 1;
      } else if (plan.state !== 'running' && each.checks >= 2 && world.now() >= each.at + mostDelayMs) {
        const { run } = openRunAndPlan(row.name);
        const isExplained = run?.plan === plan.id && run.progress['waits_for'] !== undefined;
        if (!isExplained && plan.state === 'approved') fail(law, `nothing becomes of a plan of ${row.name}`);
        pending.delete(each);
      }
    }
  };

  const judgeTimes = (before: AccountRow | undefined, { name, lastCheckAt }: AccountRow): void => {
    const { beganAt, script, world, database } = clusterOf();
    // One account of a service that is down is checked for all of them. The simulated ones have one service.
    const checked = outages.has(before?.failure?.code ?? '')
      ? [...database.tables.accounts.entries()].flatMap(([other, row]) => (other === name ? [] : [row]))
      : [];
    const last = Math.max(...[before, ...checked].map((row) => row?.lastCheckAt?.getTime() ?? beganAt));
    const ms = (lastCheckAt?.getTime() ?? 0) - last;
    if (ms > script.cadenceMs + mostGapMs)
      fail(
        'every account is checked at least once in a cadence, whatever failed',
        `${name} was not checked for ${Math.round(ms / 60_000)} minutes`,
      );
    const { checks } = watched(name);
    checks.push(world.now());
    if (checks.length <= mostChecks) return;
    const first = checks.shift() ?? 0;
    if (world.now() - first < mostChecks * leastGapMs)
      fail(
        'nothing but people and commits makes checks more frequent',
        `${name} was checked ${mostChecks} times in ${Math.round((world.now() - first) / 1_000)} seconds`,
      );
  };

  /** A notice is stored together with its subject: a crash loses none. */
  const judgeNotice = (account: string, kinds: readonly string[], path: string): void => {
    const rows = [...tables().notifications.entries()];
    if (!rows.some(([, { kind, facts }]) => kinds.includes(kind) && facts['path'] === path))
      fail(
        'people hear of each plan that waits and of the end of each run',
        `nobody hears of ${path} in ${account}`,
      );
  };

  const judgeTopic = (topic: string): void => {
    if (![...tables().notifications.entries()].some(([, each]) => each.topic === topic))
      fail('people hear of the end of each rollout, and of a source that fails', `nobody hears of ${topic}`);
  };

  const judgeRollouts = (): void => {
    for (const [id, log] of tables().rollouts.entries()) {
      const before = rollouts.get(id);
      if (before?.revision === log.revision) continue;
      rollouts.set(id, log);
      const wrong = wrongMove(before, log, tables());
      if (wrong !== undefined) fail('a rollout changes one wave after the other', wrong);
      if (hasEndedItself(log)) judgeTopic(`rollout ${id}`);
    }
    for (const [name, { problem }] of tables().sources.entries()) {
      const wasAway = away.has(name);
      if (problem === null) away.delete(name);
      else away.add(name);
      if (wasAway !== away.has(name))
        judgeTopic(problem === null ? `source ${name} recovered` : `source ${name}`);
    }
  };

  /** A plan waits for people only while it has a change that the latest check left in it. */
  const judgeQuestion = (account: string): void => {
    const { tables } = clusterOf().database;
    const plan = tables.plans.get(tables.openPlans.get(account) ?? '')?.plan;
    if (plan?.state !== 'waiting') return;
    if (!noticed.has(plan.id)) judgeNotice(account, ['waiting'], changePath(plan.id));
    noticed.add(plan.id);
    const left = new Set(plan.later?.leftOut);
    const isQuestion = [...effectsOfPlan(plan.id).values()]
      .flat()
      .some(({ kind, host, to }) => !left.has(host) && !(kind === 'other' && to === 'refresh'));
    if (!isQuestion)
      fail('nobody is asked to approve a plan that changes nothing', `the plan of ${account} waits`);
  };

  /** In a history without rollouts, an approved plan without a run waits for the end of a pause, and nothing else. */
  const judgeWaiting = (known: Watched): void => {
    const { world, database } = clusterOf();
    const { tables } = database;
    const { row, idleSince } = known;
    const now = world.now();
    const run = tables.runs.get(tables.openRuns.get(row?.name ?? '') ?? '')?.run;
    if (row?.health === 'running' && (run === undefined || run.state === 'queued'))
      fail('an account waits only for what is there', `${row.name} is running without a run`);
    if (idleSince !== undefined && now - idleSince > mostWaitMs)
      fail('an account waits only for what is there', `${row?.name} waits for a pause that has ended`);
    const plan = tables.plans.get(tables.openPlans.get(row?.name ?? '') ?? '')?.plan;
    const isIdle =
      row?.health === 'paused' ||
      (row?.health === 'waiting' &&
        plan?.state === 'approved' &&
        rolloutWith(plan, tables) === undefined &&
        tables.openRuns.get(row.name) === undefined);
    known.idleSince = isIdle && !isPausedAt(row.name, tables, now) ? (idleSince ?? now) : undefined;
  };

  const notices = watchNotices(clusterOf);
  const judgeNotices = (wrong: string | undefined) => {
    if (wrong !== undefined) fail('people get each notice once, or its failure is recorded', wrong);
  };

  return {
    wire,
    receives: (message) => judgeNotices(notices.receives(message)),
    people: {
      edits: (account) => watched(account).latest.clear(),
      sends: (decision) => void sent.push(decision),
      hasDecided(decision) {
        const plan = clusterOf().database.tables.plans.get(decision.plan)?.plan;
        if (plan?.state !== 'approved') return;
        pending.add({ ...decision, account: plan.account, checks: 0 });
        counts.approved += 1;
      },
    },
    look() {
      for (const [name, row] of clusterOf().database.tables.accounts.entries()) {
        const known = watched(name);
        const before = known.row;
        if (before === row) continue;
        known.row = row;
        judgeQuestion(name);
        if (row.failure?.code === 'unforeseen')
          fail('no job fails by itself', `${name}: ${row.failure.message}`);
        const isChecked = row.lastCheckAt !== null && row.lastCheckAt !== before?.lastCheckAt;
        if (isChecked) judgeTimes(before, row);
        const isIgnored = [...row.drift.values()].some(({ ignored }) => ignored);
        const isClaim = row.health === 'converged' || (row.health === 'paused' && !isIgnored);
        if (isClaim && (isChecked || row.health !== before?.health)) judgeConverged(row);
        if (!isChecked) continue;
        counts.checks += 1;
        judgeApprovals(row);
      }
      for (const known of accounts.values()) judgeWaiting(known);
      judgeEnds();
      judgeRollouts();
    },
    defect: (error) =>
      fail('no job fails by itself', error instanceof Error ? (error.stack ?? error.message) : String(error)),
    lookAtEnd() {
      const law = 'after faults end, every account converges or waits for a person within three cadences';
      for (const [, row] of clusterOf().database.tables.accounts.entries()) {
        const why = stuckWhy(row, clusterOf(), {
          isRequested: (host) => isRequested(row.name, host),
          acceptedAt: (host) =>
            watched(row.name).acknowledged.get(textOf({ kind: 'install', host, to: '' })) ?? 0,
          installEndsAt: (host) => watched(row.name).installEndsAt.get(host) ?? 0,
        });
        if (why !== undefined) fail(law, `${row.name} ${why}`);
        judgeTimes(row, { ...row, lastCheckAt: new Date(clusterOf().world.now()) });
      }
      judgeNotices(notices.lostWhy());
      for (const [id, log] of tables().rollouts.entries()) {
        const why = rolloutStuckWhy(log, tables(), (name) =>
          isPausedAt(name, tables(), clusterOf().world.now()),
        );
        if (why !== undefined) fail('after faults end, every rollout ends', `${id} ${why}`);
      }
      for (const [, id] of tables().openPlans.entries()) {
        const plan = tables().plans.get(id)?.plan;
        if (plan !== undefined && isLeftBehind(plan, tables()))
          fail('an account waits only for what is there', `${plan.account} has a plan of an aborted rollout`);
      }
    },
    get breach() {
      return breach;
    },
    counts,
  };
}
