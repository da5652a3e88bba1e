import type { Counts } from '../../../api/accounts.ts';
import type { ReviewHost } from '../../../api/plans.ts';
import { listed } from '../../words/numbers.ts';

export type ChangeKind = keyof Counts;

/** Changes that can't be undone come first. */
export const changeKinds: readonly ChangeKind[] = ['delete', 'install', 'rename', 'move', 'refresh'];

export interface ChangeWords {
  /** What one change does, such as `Delete`. */
  readonly verb: string;
  readonly noun: string;
  readonly nouns: string;
  readonly isIrreversible: boolean;
}

export const changeWords: Readonly<Record<ChangeKind, ChangeWords>> = {
  delete: { verb: 'Delete', noun: 'deletion', nouns: 'deletions', isIrreversible: true },
  install: {
    verb: 'Install anti-virus',
    noun: 'anti-virus install',
    nouns: 'anti-virus installs',
    isIrreversible: true,
  },
  rename: { verb: 'Rename', noun: 'rename', nouns: 'renames', isIrreversible: false },
  move: { verb: 'Move', noun: 'move', nouns: 'moves', isIrreversible: false },
  refresh: {
    verb: 'Refresh status',
    noun: 'status refresh',
    nouns: 'status refreshes',
    isIrreversible: false,
  },
};

const limits: Readonly<Record<string, string>> = {
  delete: 'deletions',
  deletions: 'deletions',
  rename: 'renames',
  move: 'moves',
  antivirus: 'anti-virus installs',
  missing: 'missing hosts',
};

/** What a limit counts, such as `deletions`. A limit of a later server keeps its own name. */
export function changeNoun(limit: string): string {
  return limits[limit] ?? limit;
}

/** What the plan does to one host, in words: `Rename and move`. */
export function actionText({ action }: Pick<ReviewHost, 'action'>): string {
  const verbs = changeKinds.filter((kind) => action.includes(kind)).map((kind) => changeWords[kind].verb);
  return listed(
    verbs.map((verb, index) => (index === 0 ? verb : verb.charAt(0).toLowerCase() + verb.slice(1))),
  );
}
