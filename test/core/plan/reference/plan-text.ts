import type { Severity } from '../../../../src/core/problem/problem.ts';

/** A plan as sorted lines of text, so that two plans are compared, and a difference read, as text. */
export interface PlanText {
  readonly steps: readonly string[];
  readonly summary: Readonly<Record<string, number>>;
  readonly calls: Readonly<Record<string, number>>;
  readonly undo: readonly string[];
  readonly problems: readonly string[];
}

export type Report = (
  severity: Severity,
  code: string,
  line?: number,
  hosts?: readonly { readonly id: string }[],
) => void;

// Which of several lines with one group is shown, and whether a missing host looks like a misspelled one, only affects
// messages.
const withoutLine = ['unknown-group', 'ambiguous-group'];
const withoutSeverity = ['awaiting-enrollment'];

/** Problems of one kind at one line are one line of text, with all their hosts. */
export function reportsOf(): { readonly report: Report; lines(): readonly string[] } {
  const found = new Map<string, Set<string>>();
  return {
    report(severity, code, line, hosts = []) {
      const grade = withoutSeverity.includes(code) && severity !== 'error' ? 'remark' : severity;
      const key = `${grade} ${code} ${withoutLine.includes(code) ? '-' : (line ?? '-')}:`;
      found.set(key, new Set([...(found.get(key) ?? []), ...hosts.map(({ id }) => id)]));
    },
    lines: () => [...found].map(([key, hosts]) => `${key} ${[...hosts].sort().join()}`).sort(),
  };
}

interface NameText {
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
  readonly line: number | undefined;
}

/** `after`: the steps that it waits for, each as its kind and its host. */
export function renameText({ id, from, to, line }: NameText, after: readonly string[]): string {
  return `rename ${id} ${JSON.stringify(from)} ${JSON.stringify(to)} line ${line} after ${[...after].sort().join()}`;
}

export function temporaryRenameText({ id, from, to, line }: NameText, why: string): string {
  return `temporary-rename ${id} ${JSON.stringify(from)} ${JSON.stringify(to)} line ${line} ${why}`;
}

interface Member {
  readonly id: string;
  readonly line: number | undefined;
}

export function batchText(what: string, members: readonly Member[]): string {
  return `${what} ${members.map(({ id, line }) => `${id}@${line}`).join()}`;
}

export function undoText(kind: 'rename' | 'move', id: string, from: string | undefined, to: string): string {
  return `${kind} ${id} ${JSON.stringify(from)} ${JSON.stringify(to)}`;
}
