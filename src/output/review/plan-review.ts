import { compareInt64 } from '../../core/lib/int64.ts';
import { count } from '../../core/lib/words.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Step } from '../../core/plan/types/step.ts';
import {
  noLine,
  type Problem,
  type Severity,
  type ShownPlace,
  shownPlace,
} from '../../core/problem/problem.ts';
import { causesWithHosts } from './causes.ts';
import { plainStyle } from './color.ts';
import { groupChanges } from './group-changes.ts';
import { causeTitle, groupNamer, type PlannedHost, plannedHosts } from './planned-hosts.ts';
import { renderProblem } from './problem-text.ts';
import type { RenameComponent, TemporaryRename } from './rename-rows.ts';
import { isIrreversible, isUnusual, needsAttention, type ReviewAction } from './reviewed-host.ts';
import { changeCountWords, type PlanRows, toRows } from './rows.ts';

/** What a reviewer of a plan sees, computed once for the report and the console. */
export interface PlanReview {
  readonly verdict: string;
  /** In the order of host ids. */
  readonly hosts: readonly PlannedHost[];
  /** Hosts with a change that no undo reverts; those whose change may be a mistake come first. */
  readonly irreversible: readonly PlannedHost[];
  /** The other hosts that a reviewer should look at first: their changes may be mistakes. */
  readonly unusual: readonly PlannedHost[];
  readonly problems: readonly {
    readonly severity: Severity;
    readonly code: string;
    readonly message: string;
    readonly hint?: string | undefined;
    readonly place?: ShownPlace | undefined;
    /** The lines of the desired state that it is about, marked as in a terminal. */
    readonly excerpt?: string | undefined;
    readonly policy?: string | undefined;
  }[];
  readonly groups: readonly {
    readonly name: string;
    readonly before: number;
    readonly after: number;
    readonly arrive: number;
    readonly leave: number;
  }[];
  readonly causes: readonly {
    readonly title: string;
    readonly place?: ShownPlace | undefined;
    readonly hosts: number;
  }[];
  readonly chains: readonly {
    readonly is_ring: boolean;
    /** How many hosts it renames. */
    readonly hosts: number;
    /** In the order of the calls. Of long chains, only the first. */
    readonly renames: readonly {
      readonly host_id: string;
      readonly from: string | null;
      readonly to: string;
      readonly temporary: TemporaryRename;
    }[];
  }[];
  readonly calls_by_kind: readonly { readonly kind: ReviewAction; readonly calls: number }[];
  /** How many problems and chains are left out. */
  readonly more: { readonly problems: number; readonly chains: number };
  readonly minimum_calls: number;
  readonly seconds: { readonly low: number; readonly high: number } | null;
}

/** Renames of one chain that a drawing shows. */
const mostRenames = 500;
const mostChains = 100;
const mostProblems = 1_000;

export function toPlanReview(plan: Plan): PlanReview {
  const rows = toRows(plan);
  const groupName = groupNamer(plan);
  const all = [...rows.problems.error, ...rows.problems.warning, ...rows.problems.note];
  const problems = all.slice(0, mostProblems);
  const chains = rows.renames
    .filter(({ shape }) => shape !== 'single')
    .sort((a, b) => b.rows.length - a.rows.length);
  const inOrder = plannedHosts(rows, { orders: ordersOf(chains), problems: numbersByHost(problems) });
  const irreversible = inOrder
    .filter(isIrreversible)
    .sort((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)));
  return {
    verdict: verdictOf(rows, irreversible.length),
    hosts: inOrder.toSorted((a, b) => compareInt64(a.host_id, b.host_id)),
    irreversible,
    unusual: inOrder.filter(isUnusual),
    problems: problems.map(toReviewProblem),
    groups: groupChanges(plan).map(({ groupId, before, after, arrivals, departures, deleted }) => ({
      name: groupName(groupId),
      before,
      after,
      arrive: arrivals,
      leave: departures + deleted,
    })),
    causes: causesWithHosts(plan).map(({ changes: _changes, hosts, ...cause }) => ({
      title: causeTitle(cause),
      ...(cause.file === undefined || cause.line === undefined
        ? {}
        : { place: cause.line === noLine ? { file: cause.file } : { file: cause.file, line: cause.line } }),
      hosts,
    })),
    chains: chains.slice(0, mostChains).map(toChain),
    more: {
      problems: all.length - problems.length,
      chains: Math.max(0, chains.length - mostChains),
    },
    calls_by_kind: callsByKind(plan.steps),
    minimum_calls: plan.calls.minimum,
    seconds: secondsOf(plan),
  };
}

function verdictOf({ plan, standing, problems }: PlanRows, irreversible: number): string {
  const limits = problems.error.filter(({ code }) => code === 'limit-exceeded').length;
  const errors = problems.error.length - limits;
  if (errors > 0) return `This plan can't be applied: ${count(errors, 'error')}.`;
  if (standing !== undefined) return standing.text;
  const changes = changeCountWords(plan.summary);
  const rest =
    irreversible === 0
      ? ''
      : ` ${count(irreversible, 'host has a change', 'hosts have changes')} that can't be undone.`;
  const over =
    limits === 0
      ? ''
      : ` ${count(limits, 'limit is', 'limits are')} exceeded: applying this plan requires approval of the exact number.`;
  return `${changes.length === 0 ? 'No changes' : changes.join(', ')}.${rest}${over}`;
}

function toReviewProblem(problem: Problem): PlanReview['problems'][number] {
  const { severity, code, message, hint, place, policy } = problem;
  const excerpt = excerptOf(problem);
  return {
    severity,
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(place !== undefined && { place: shownPlace(place) }),
    ...(excerpt !== undefined && { excerpt }),
    ...(policy !== undefined && { policy }),
  };
}

/** The marked lines of a problem; undefined if no line is known. */
function excerptOf({ hint: _hint, ...problem }: Problem): string | undefined {
  const { place, related = [] } = problem;
  if (place?.text === undefined && related.length === 0) return undefined;
  const [, ...lines] = renderProblem(problem, plainStyle).trimEnd().split('\n');
  return lines.join('\n');
}

/** The numbers of the chains are those of their drawings: each shape is numbered separately, the largest first. */
function ordersOf(chains: readonly RenameComponent[]): ReadonlyMap<string, string> {
  const numbers = { chain: 0, swap: 0, cycle: 0, single: 0 };
  return new Map(
    chains.flatMap(({ shape, rows }) => {
      const number = ++numbers[shape];
      return rows.map(
        ({ hostId }, at) => [hostId, `${shape} ${number}: ${at + 1} of ${rows.length}`] as const,
      );
    }),
  );
}

function numbersByHost(problems: readonly Problem[]): ReadonlyMap<string, readonly number[]> {
  const pairs = problems.flatMap(({ hostIds = [] }, number) => hostIds.map((id) => ({ id, number })));
  const byHost = Map.groupBy(pairs, ({ id }) => id);
  return new Map([...byHost].map(([id, those]) => [id, those.map(({ number }) => number)]));
}

function toChain({ shape, rows }: RenameComponent): PlanReview['chains'][number] {
  return {
    is_ring: shape === 'swap' || shape === 'cycle',
    hosts: rows.length,
    renames: rows.slice(0, mostRenames).map(({ hostId, from, to, temporaryRename }) => ({
      host_id: hostId,
      from,
      to,
      temporary: temporaryRename,
    })),
  };
}

const actionOfKind: Readonly<Record<Step['kind'], ReviewAction>> = {
  rename: 'rename',
  'temporary-rename': 'rename',
  move: 'move',
  antivirus: 'install',
  refresh: 'refresh',
  delete: 'delete',
};

function callsByKind(steps: readonly Step[]): PlanReview['calls_by_kind'] {
  const calls = new Map<ReviewAction, number>();
  for (const { kind } of steps) calls.set(actionOfKind[kind], (calls.get(actionOfKind[kind]) ?? 0) + 1);
  return [...calls].map(([kind, number]) => ({ kind, calls: number }));
}

/** From the forecast to the rehearsal with faults, if the plan has them. */
function secondsOf({ forecast, rehearsal }: Plan): PlanReview['seconds'] {
  const expected = forecast?.seconds;
  const rehearsed = rehearsal === undefined ? [] : [rehearsal.withoutFaults, rehearsal.withFaults];
  const seconds = [
    ...(expected === undefined ? [] : [expected]),
    ...rehearsed.map(({ minutes }) => minutes * 60),
  ];
  return seconds.length === 0 ? null : { low: Math.min(...seconds), high: Math.max(...seconds) };
}
