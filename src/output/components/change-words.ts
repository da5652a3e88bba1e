import { listed } from '../../core/lib/words.ts';
import type { PlannedHost } from '../review/planned-hosts.ts';
import type { ReviewAction } from '../review/reviewed-host.ts';

/** Changes that can't be undone come first. */
export const shownChangeKinds: readonly ReviewAction[] = ['delete', 'install', 'rename', 'move', 'refresh'];

interface ChangeWords {
  /** What one change does, such as `Delete`. */
  readonly verb: string;
  readonly noun: string;
  readonly nouns: string;
}

export const changeWords: Readonly<Record<ReviewAction, ChangeWords>> = {
  delete: { verb: 'Delete', noun: 'deletion', nouns: 'deletions' },
  install: {
    verb: 'Install anti-virus',
    noun: 'anti-virus install',
    nouns: 'anti-virus installs',
  },
  rename: { verb: 'Rename', noun: 'rename', nouns: 'renames' },
  move: { verb: 'Move', noun: 'move', nouns: 'moves' },
  refresh: {
    verb: 'Refresh status',
    noun: 'status refresh',
    nouns: 'status refreshes',
  },
};

/** What the plan does to one host, in words: `Rename and move`. */
export function actionText({ action }: Pick<PlannedHost, 'action'>): string {
  const verbs = shownChangeKinds
    .filter((kind) => action.includes(kind))
    .map((kind) => changeWords[kind].verb);
  return listed(
    verbs.map((verb, index) => (index === 0 ? verb : verb.charAt(0).toLowerCase() + verb.slice(1))),
  );
}
