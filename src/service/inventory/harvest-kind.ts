import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { expiresInMs, parseExpires } from '../client/expires.ts';
import { hostsPerReport } from '../contract/inventory.ts';
import type { HarvestState } from './harvest-event.ts';
import type { KindOptions } from './harvest-options.ts';
import {
  mayPass,
  nothingComes,
  outOfReports,
  outOfTime,
  refusedHosts,
  stopped,
  tooLong,
} from './harvest-problems.ts';
import { HarvestTally } from './harvest-tally.ts';
import type { OpenReport, RecordState } from './inventory-cache.ts';
import { reportLeaseMs } from './lease.ts';
import { makeReport, readOpenReport } from './make-report.ts';
import { bounded, firstSize, judgeReport, type ReportSize } from './report-size.ts';
import { covers, joinFields, type StoredFields } from './stored-fields.ts';
import { SuspectHosts } from './suspect-hosts.ts';

/** The result for one inventory. */
export interface KindHarvest extends HarvestState {
  /** Hosts that were not asked because the cache has recent data. */
  readonly fresh: number;
  /** Hosts for which the service refuses a report. */
  readonly refused: readonly HostId[];
  readonly problems: readonly Problem[];
}

/** A known limit is tried again after this time. */
const learnedForMs = 30 * 24 * 60 * 60 * 1000;
const defaultMaxWaitMs = 5 * 60 * 1000;
const fruitlessInARow = 3;
/** If this many hosts were refused individually and none was accepted, the hosts are not the cause. */
const mostRefusedAlone = 3;
const fruitlessPauseMs = 5_000;

/** Harvests one inventory, report by report. */
export async function harvestKind(kind: InventoryKind, options: KindOptions): Promise<KindHarvest> {
  const { cache, client, clock, fields, stop, onEvent = () => {}, maxWaitMs = defaultMaxWaitMs } = options;
  const { deadline = Number.POSITIVE_INFINITY, maxReports = Number.POSITIVE_INFINITY } = options;
  const startedAt = clock.now();
  const freshAfter = startedAt - options.maxAgeMs;
  const settled = new Set<HostId>();
  const target = (): HarvestTarget => ({
    hosts: options.hosts.filter((id) => !settled.has(id)),
    fields,
    freshAfter,
  });
  const tally = new HarvestTally(kind, pendingHosts(target(), cache.states(kind)).length, clock);
  const fresh = options.hosts.length - tally.left;
  let size = recalledSize();
  /** Consecutive reports and attempts without any result. */
  let fruitless = 0;
  /** Hosts of the last report, which ended without any host: a second such report shows that they have no inventory. */
  let unseen: ReadonlySet<HostId> = new Set();
  const suspects = new SuspectHosts();

  onEvent({ type: 'started', fresh, ...tally.state(size) });
  for (;;) {
    const end = await takeStep();
    if (end === undefined) continue;
    tally.left = pendingHosts(target(), cache.states(kind)).length;
    onEvent(tally.ended(size));
    const problems = tally.refused.length === 0 ? [] : [refusedHosts(kind, tally.refused)];
    return { ...tally.state(size), fresh, refused: tally.refused, problems: [...problems, ...end] };
  }

  /**
   * Handles one report, or one obstacle to it. Returns the problems that end the harvest, or none if it is done;
   * otherwise undefined.
   */
  async function takeStep(): Promise<readonly Problem[] | undefined> {
    if (stop.aborted) return [stopped(kind)];
    const open = cache.openReport(kind);
    if (open !== undefined) return goOnWith(open);

    const states = cache.states(kind);
    const queue = pendingHosts(target(), states);
    tally.left = queue.length;
    if (queue.length === 0) return [];
    if (tally.reports >= maxReports) return [outOfReports(kind)];
    if (clock.now() >= deadline) return [outOfTime(kind)];

    const batch = suspects.next(queue, size.ask);
    const made = await makeReport(kind, batch, fieldsToAsk(batch, target(), states), options);
    switch (made.kind) {
      case 'made':
        tally.reportMade();
        onEvent({ type: 'report', kind, hosts: batch.length });
        wasAccepted(batch);
        return readAndWait(made.report);
      case 'occupied':
        return wait(made.forMs, 'other-report');
      case 'overtaken':
        return undefined;
      case 'bad-hosts':
        return refuse(made.hosts);
      case 'too-much':
        return wasRefused(batch, made.problem);
      case 'failed':
        fruitless += 1;
        if (stop.aborted) return undefined;
        if (!mayPass(made.problem) || fruitless >= fruitlessInARow) return [made.problem];
        await clock.sleep(fruitlessPauseMs, stop);
        return undefined;
    }
  }

  function wasAccepted(batch: readonly HostId[]): void {
    const { refused, most } = suspects.accepted(batch);
    refuse(refused);
    if (most !== undefined) learn(bounded(size, most));
  }

  function wasRefused(batch: readonly HostId[], problem: Problem): readonly Problem[] | undefined {
    if (problem.code === 'too-large' && batch.length > 1) {
      learn(bounded(size, Math.floor(batch.length / 2)));
      return undefined;
    }
    const alone = suspects.refused(batch);
    if (!suspects.hasAccepted && tally.refused.length + alone.length >= mostRefusedAlone) return [problem];
    return refuse(alone);
  }

  /** Continues a report that this harvest did not make: one of a running process, or of one that has died. */
  async function goOnWith(open: OpenReport): Promise<readonly Problem[] | undefined> {
    const now = clock.now();
    const lifeMs = expiresInMs(open.expires, { now, skewMs: client.clockSkewMs ?? 0 });
    if (parseExpires(open.expires) !== null && lifeMs === 0) {
      cache.endReport(kind, { hosts: [], fields: open.fields, at: now });
      return undefined;
    }
    const isOrphan = open.holder !== undefined && options.holder?.isAlive(open.holder) === false;
    if (open.leaseUntil > now && !isOrphan) return wait(open.leaseUntil - now, 'other-report');
    const lease = {
      leaseUntil: now + reportLeaseMs,
      ...(options.holder === undefined ? {} : { holder: options.holder.self }),
    };
    if (!cache.claimReport(kind, isOrphan ? open.leaseUntil : now, lease)) return undefined;
    onEvent({ type: 'resumed', kind, hosts: open.asked.length });
    return readAndWait(open);
  }

  async function readAndWait(report: OpenReport): Promise<readonly Problem[] | undefined> {
    const reading = await readOpenReport(kind, report, {
      ...options,
      onPage: (hosts) => {
        tally.left -= hosts;
        onEvent({ type: 'page', hosts, ...tally.state(size) });
      },
    });
    const cause = reading.failure?.problem;
    const isFinal = cause !== undefined && !mayPass(cause);
    for (const id of reading.arrived) settled.add(id);
    const { without, hasLearned } = judge(report, reading);
    if (isFinal) cache.leaseReport(kind, 0);
    else cache.endReport(kind, { hosts: without, fields: report.fields, at: clock.now() });
    for (const id of without) settled.add(id);
    tally.absent += without.length;
    tally.left -= without.length;

    fruitless = reading.arrived.size + without.length > 0 || hasLearned ? 0 : fruitless + 1;
    if (isFinal) return [stop.aborted ? stopped(kind) : cause];
    if (fruitless >= fruitlessInARow) return [cause ?? nothingComes(kind)];
    const isLast = tally.left <= 0 || tally.reports >= maxReports;
    return isLast ? undefined : wait(reading.nextInMs, 'next-report');
  }

  /** Determines the hosts without inventory in this report, and what the report shows about the size of reports. */
  function judge(
    report: OpenReport,
    reading: Awaited<ReturnType<typeof readOpenReport>>,
  ): { readonly without: readonly HostId[]; readonly hasLearned: boolean } {
    const { arrived, isWhole, fullestPage } = reading;
    if (reading.end === 'failed' || report.pages > 0) {
      const carriesMore = size.carriesMore || arrived.size > hostsPerReport;
      return { without: [], hasLearned: learn({ ...size, carriesMore }) };
    }
    const asked = report.asked.length;
    const isSilent = isWhole && arrived.size === 0;
    const isConfirmed = isSilent && report.asked.every((id) => unseen.has(id));
    if (isSilent) unseen = new Set(report.asked);
    const pages = isConfirmed ? reading.pages : reading.pagesWithRoom;
    const outcome = { isComplete: isWhole, asked, arrived: arrived.size, pages, fullestPage };
    const verdict = judgeReport(size, outcome);
    return {
      without: verdict.carriedAll ? report.asked.filter((id) => !arrived.has(id)) : [],
      hasLearned: learn(verdict.size),
    };
  }

  function learn(next: ReportSize): boolean {
    const isNews = next.capacity !== size.capacity;
    const isOther = isNews || next.ask !== size.ask || next.carriesMore !== size.carriesMore;
    size = next;
    if (isOther) cache.saveSize(kind, { ...next, learnedAt: clock.now() });
    if (isNews) onEvent({ type: 'learned', kind, hostsPerReport: next.capacity });
    return isOther;
  }

  function recalledSize(): ReportSize {
    const stored = cache.size(kind);
    return stored === undefined || startedAt - stored.learnedAt > learnedForMs ? firstSize : stored;
  }

  function refuse(ids: readonly HostId[]): undefined {
    for (const hostId of ids) {
      tally.refused.push(hostId);
      settled.add(hostId);
      onEvent({ type: 'refused', kind, hostId });
    }
  }

  /** Waits if the wait is short enough. */
  async function wait(
    ms: number,
    reason: 'next-report' | 'other-report',
  ): Promise<readonly Problem[] | undefined> {
    if (ms <= 0) return undefined;
    if (ms > maxWaitMs) return [tooLong(kind, ms)];
    if (clock.now() + ms >= deadline) return [outOfTime(kind)];
    onEvent({ type: 'waiting', kind, ms, reason });
    await clock.sleep(ms, stop);
    return undefined;
  }
}

interface HarvestTarget {
  readonly hosts: readonly HostId[];
  readonly fields: StoredFields;
  /** Records requested after this time are fresh, in milliseconds since the epoch. */
  readonly freshAfter: number;
}

/** The hosts to request: first those never requested for these fields, then those with the oldest inventory. */
function pendingHosts(target: HarvestTarget, states: ReadonlyMap<HostId, RecordState>): readonly HostId[] {
  const never: HostId[] = [];
  const old: RecordState[] = [];
  for (const id of target.hosts) {
    const state = states.get(id);
    if (state === undefined) never.push(id);
    else if (!isCovered(state, target.fields)) never.push(id);
    else if (state.at <= target.freshAfter) old.push(state);
  }
  old.sort((a, b) => a.at - b.at);
  return [...never, ...old.map(({ hostId }) => hostId)];
}

/**
 * The fields to request for these hosts: the target fields, and those that are known and fresh, so that they are not
 * lost.
 */
function fieldsToAsk(
  batch: readonly HostId[],
  { fields, freshAfter }: HarvestTarget,
  states: ReadonlyMap<HostId, RecordState>,
): StoredFields {
  let joined = fields;
  for (const id of batch) {
    const state = states.get(id);
    if (state === undefined || state.isAbsent || state.at <= freshAfter) continue;
    joined = joinFields(joined, state.fields);
  }
  return joined;
}

/** A host without inventory has no value for any field. */
function isCovered(state: RecordState, fields: StoredFields): boolean {
  return state.isAbsent || covers(state.fields, fields);
}
