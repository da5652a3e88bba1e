import { countChanges } from '../../core/model/policy.ts';
import { type PlannedAct, plannedActs } from '../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { type ChangeCounts, mostReported, type ReportedCause } from './account-report.ts';
import { cutText } from './cut-text.ts';

type Kind = keyof ChangeCounts;

/** A cause with the hosts that it changes, each once, if they were requested. */
type Found = ReportedCause & { hosts?: Set<string> };

/**
 * The origin of the changes of a plan: each rule, and each line with entries. If these are too many, the lines of a
 * file count as one cause, and so do the smallest causes. The counts of all causes always add up to all changes.
 */
export function firstCauses(plan: Plan, most: number = mostReported.causes): ReportedCause[] {
  return find(plan, most, false);
}

/** The number of all rules and lines. */
export function countCauses(plan: Plan): number {
  const { all, of } = createSources();
  for (const { reason } of plannedActs(plan)) {
    const made = reason();
    of(made).lines.add(made.line);
  }
  return linesOf(all);
}

/** The same with the number of hosts that each cause changes. A host may have several changes of one cause. */
export function causesWithHosts(plan: Plan): readonly (ReportedCause & { readonly hosts: number })[] {
  return find(plan, mostReported.causes, true).map(({ hosts, ...cause }) => ({
    ...cause,
    hosts: hosts?.size ?? 0,
  }));
}

/** The lines of one file with entries, or with one rule. */
interface Source {
  readonly rule: string | undefined;
  /** If these are too many to be causes, only the first. */
  readonly lines: Set<number>;
  /** The changes of all lines. */
  readonly whole: Found;
  /** The changes of each of the first lines, and of each line of a rule. */
  readonly byLine: Map<number, Found>;
}

function find(plan: Plan, most: number, hasHosts: boolean): Found[] {
  const { all, of } = createSources();
  const add = (cause: Found, { kind, hostId }: PlannedAct) => {
    cause.changes[kind] += 1;
    if (hasHosts) (cause.hosts ??= new Set()).add(hostId);
  };
  for (const act of plannedActs(plan)) {
    const reason = act.reason();
    const { rule, lines, whole, byLine } = of(reason);
    add(whole, act);
    if (lines.size <= most) lines.add(reason.line);
    if (rule === undefined && lines.size > most) continue;
    const cause = byLine.get(reason.line) ?? newCause(reason.file, reason.line, rule);
    byLine.set(reason.line, cause);
    add(cause, act);
  }
  const areFew = linesOf(all) <= most;
  const sorted = all
    .flatMap(({ rule, lines, whole, byLine }) =>
      areFew || rule !== undefined || lines.size === 1 ? [...byLine.values()] : whole,
    )
    .sort((a, b) => countChanges(b.changes) - countChanges(a.changes) || byPlace(a, b));
  return sorted.length <= most ? sorted : [...sorted.slice(0, most - 1), joined(sorted.slice(most - 1))];
}

function linesOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { lines }) => sum + lines.size, 0);
}

/** Finds sources without making a text for each of many changes. */
function createSources() {
  const all: Source[] = [];
  const files = new Map<string, Map<string | undefined, Source>>();
  const of = ({ file, rule }: Reason): Source => {
    const rules = files.get(file) ?? new Map<string | undefined, Source>();
    files.set(file, rules);
    const known = rules.get(rule);
    if (known !== undefined) return known;
    const whole = newCause(file, undefined, rule);
    const source: Source = { rule, lines: new Set(), whole, byLine: new Map() };
    rules.set(rule, source);
    all.push(source);
    return source;
  };
  return { all, of };
}

function newCause(file: string, line: number | undefined, rule: string | undefined): Found {
  return {
    file: cutText(file),
    ...(line === undefined ? {} : { line }),
    ...(rule === undefined ? {} : { rule: cutText(rule) }),
    changes: noChanges(),
  };
}

function noChanges(): ChangeCounts {
  return { rename: 0, move: 0, antivirus: 0, delete: 0 };
}

/** Does it request more than one change of a kind? */
export function isCommon({ changes }: ReportedCause): boolean {
  return Math.max(...Object.values(changes)) > 1;
}

function joined(causes: readonly Found[]): Found {
  const changes = sum(causes);
  const hosts = new Set(causes.flatMap((each) => [...(each.hosts ?? [])]));
  return hosts.size === 0 ? { changes } : { changes, hosts };
}

function sum(causes: readonly ReportedCause[]): ChangeCounts {
  const counts = noChanges();
  for (const { changes } of causes) {
    for (const kind of Object.keys(counts) as Kind[]) counts[kind] += changes[kind];
  }
  return counts;
}

function byPlace(a: ReportedCause, b: ReportedCause): number {
  return (
    compare(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.rule ?? '', b.rule ?? '')
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
