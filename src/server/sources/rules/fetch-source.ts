import type { Clock } from '../../../core/lib/surroundings.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { happenToEach } from '../../accounts/rules/happen.ts';
import type { Notice } from '../../notifications/rules/notice.ts';
import { enqueueNotices } from '../../notifications/rules/route-notices.ts';
import type { Queue } from '../../queue/queue.ts';
import { sourceOf } from '../../settings/configured-account.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { ServedSources } from './open-sources.ts';

export interface FetchParts {
  readonly settings: ServerSettings;
  readonly sources: Pick<ServedSources, 'refresh' | 'prune'>;
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: Clock;
}

/** The source can no longer be read, fails for another reason, has a new commit, or can be read again. */
export type SourceChange = { readonly problem: string } | { readonly commit: string };

/**
 * Looks for a new commit of a source. If there is one, all servers use it, and the accounts of the source are checked.
 * If the source can't be read, its last commit is still used, and its record contains the reason and the time.
 */
export async function fetchSourceJob(
  name: string,
  parts: FetchParts,
  signal: AbortSignal,
): Promise<SourceChange | undefined> {
  const { settings, sources, store } = parts;
  if (!settings.sources.some((source) => source.name === name)) return undefined;
  const found = await sources.refresh(name, signal);
  if (!found.ok && signal.aborted) return undefined;
  const { isNew, before, change } = await store.transaction((own) => record(name, found, parts, own));
  if (!isNew) return change;
  sources.prune(name, before === null ? [] : [before]);
  const accounts = settings.accounts.filter((account) => sourceOf(settings, account).name === name);
  await happenToEach(new Map(accounts.map((each) => [each.name, { kind: 'source-changed' }])), parts);
  return change;
}

interface RecordedFetch {
  readonly isNew: boolean;
  /** The commit that was in use. */
  readonly before: string | null;
  readonly change: SourceChange | undefined;
}

/** Writes the result of a look at a source, together with the notices about it. */
async function record(
  name: string,
  found: Result<{ readonly commit: string }>,
  parts: FetchParts,
  own: Store,
): Promise<RecordedFetch> {
  const known = (await own.sources.list()).find((source) => source.name === name);
  const { commit: before = null, problem: failure = null } = known ?? {};
  const announce = async (...notices: readonly Notice[]) => {
    await own.events.append({ type: 'source.changed', account: null, resource: name });
    await enqueueNotices(notices, parts, own);
  };
  if (found.ok) {
    const { commit } = found.value;
    const isNew = await own.sources.fetched(name, commit);
    if (!isNew && failure === null) return { isNew, before, change: undefined };
    await announce(...(failure === null ? [] : [recoveryNotice(name)]));
    return { isNew, before, change: { commit } };
  }
  const [first] = found.problems;
  if (first === undefined) return { isNew: false, before, change: undefined };
  const { code, message, hint } = first;
  await own.sources.failed(name, { code, message, ...(hint === undefined ? {} : { hint }) });
  const isSame = failure?.message === message;
  if (!isSame) await announce(...(failure === null ? [failureNotice(name, message, hint)] : []));
  return { isNew: false, before, change: isSame ? undefined : { problem: message } };
}

/** Why a source can't be read. Most messages about sources already name the source. */
export function sourceWords(name: string, message: string): string {
  return message.includes(`the source "${name}"`)
    ? message.replace(/^t/, 'T')
    : `The source "${name}" can't be read: ${message}`;
}

function failureNotice(name: string, message: string, hint: string | undefined): Notice {
  return {
    kind: 'source',
    account: null,
    topic: `source ${name}`,
    facts: {
      title: sourceWords(name, message),
      lines: [
        ...(hint === undefined ? [] : [hint]),
        'The commit that was read last stays in use until then.',
      ],
      path: '/settings',
    },
  };
}

function recoveryNotice(name: string): Notice {
  return {
    kind: 'source',
    account: null,
    topic: `source ${name} recovered`,
    facts: { title: `The source "${name}" can be read again`, path: '/settings' },
  };
}
