import { countChanges } from '../../core/model/policy.ts';
import { plannedActs } from '../../core/plan/ordering/planned-acts.ts';
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
export function causesOf(
  plan: Plan,
  most: number = mostReported.causes,
): { count: number; first: ReportedCause[] } {
  return find(plan, most, false);
}

/** The same with the number of hosts that each cause changes. A host may have several changes of one cause. */
export function causesWithHosts(plan: Plan): readonly (ReportedCause & { readonly hosts: number })[] {
  return find(plan, mostReported.causes, true).first.map(({ hosts, ...cause }) => ({
    ...cause,
    hosts: hosts?.size ?? 0,
  }));
}

function find(plan: Plan, most: number, hasHosts: boolean): { count: number; first: Found[] } {
  const causes = new Map<string, Found>();
  for (const { kind, reason, hostId } of plannedActs(plan)) {
    const cause = add(causes, reason, kind);
    if (hasHosts) (cause.hosts ??= new Set()).add(hostId);
  }
  const all = [...causes.values()];
  const few = all.length <= most ? all : withoutLines(all);
  const sorted = few.sort((a, b) => countChanges(b.changes) - countChanges(a.changes) || byPlace(a, b));
  if (sorted.length <= most) return { count: all.length, first: sorted };
  return {
    count: all.length,
    first: [...sorted.slice(0, most - 1), joined(sorted.slice(most - 1))],
  };
}

/** Does it request more than one change of a kind? */
export function isCommon({ changes }: ReportedCause): boolean {
  return Math.max(...Object.values(changes)) > 1;
}

/** The identity of a cause. The length of the file's name keeps the parts apart, whatever they contain. */
function keyOf({ file = '', line = 0, rule = '' }: Omit<ReportedCause, 'changes'>): string {
  return `${file.length}:${file}${line}:${rule}`;
}

function joined(causes: readonly Found[]): Found {
  const changes = sum(causes);
  const hosts = new Set(causes.flatMap((each) => [...(each.hosts ?? [])]));
  return hosts.size === 0 ? { changes } : { changes, hosts };
}

function sum(causes: readonly ReportedCause[]): ChangeCounts {
  const counts = { rename: 0, move: 0, antivirus: 0, delete: 0 };
  for (const { changes } of causes) {
    for (const kind of Object.keys(counts) as Kind[]) counts[kind] += changes[kind];
  }
  return counts;
}

function add(causes: Map<string, Found>, reason: Reason, kind: Kind): Found {
  const key = keyOf(reason);
  let cause = causes.get(key);
  if (cause === undefined) {
    const { file, line, rule } = reason;
    cause = {
      file: cutText(file),
      line,
      ...(rule === undefined ? {} : { rule: cutText(rule) }),
      changes: sum([]),
    };
    causes.set(key, cause);
  }
  cause.changes[kind] += 1;
  return cause;
}

/** The lines of a file become one cause; rules are kept. */
function withoutLines(causes: readonly Found[]): Found[] {
  const rules = causes.filter(({ rule }) => rule !== undefined);
  const lines = causes.filter(({ rule }) => rule === undefined);
  const files = Map.groupBy(lines, ({ file }) => file);
  const wholes = [...files].map(([file, inFile]): Found => {
    const [only] = inFile;
    if (inFile.length === 1 && only !== undefined) return only;
    return { ...(file === undefined ? {} : { file }), ...joined(inFile) };
  });
  return [...rules, ...wholes];
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
