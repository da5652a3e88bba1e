import type { RunDetail } from '../../../api/runs.ts';

const titles: Readonly<Record<string, string>> = {
  rename: 'Renames',
  'temporary-rename': 'Temporary renames',
  move: 'Moves',
  delete: 'Deletions',
  install: 'Anti-virus installs',
  antivirus: 'Anti-virus installs',
  refresh: 'Status refreshes',
};

/** The steps of a kind. A kind of a later server keeps its own name. */
export function kindTitle(kind: string): string {
  return titles[kind] ?? kind;
}

/** The progress of a kind in hosts. Runs of an older server have only steps. */
export function kindProgress({ kind, ...steps }: RunDetail['by_kind'][number]) {
  const { hosts, hosts_done: done, hosts_failed: failed } = steps;
  return hosts === undefined || done === undefined || failed === undefined
    ? { kind, noun: 'step', total: steps.total, done: steps.done, failed: steps.failed }
    : { kind, noun: 'host', total: hosts, done, failed };
}
