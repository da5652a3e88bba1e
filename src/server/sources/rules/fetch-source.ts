import type { Clock } from '../../../core/lib/clock.ts';
import { happenToEach } from '../../accounts/rules/happen.ts';
import type { Notice } from '../../notifications/rules/notice.ts';
import type { Notifier } from '../../notifications/rules/notifier.ts';
import type { Queue } from '../../queue/queue.ts';
import { sourceOf } from '../../settings/read-server-settings.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import type { ServedSources } from './open-sources.ts';

export interface FetchParts {
  readonly settings: ServerSettings;
  readonly sources: Pick<ServedSources, 'refresh' | 'prune'>;
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly notifier: Pick<Notifier, 'enqueue'>;
}

/** The source can no longer be read, fails for another reason, has a new commit, or can be read again. */
export type SourceChange = { readonly problem: string } | { readonly commit: string };

/**
 * Looks for a new commit of a source. If there is one, all servers use it, and the accounts of the source are checked.
 * If the source can't be read, its last commit stays in use, and its record says why and since when.
 */
export async function fetchSourceJob(
  name: string,
  parts: FetchParts,
  signal: AbortSignal,
): Promise<SourceChange | undefined> {
  const { settings, sources, store, notifier } = parts;
  if (!settings.sources.some((source) => source.name === name)) return undefined;
  const before = (await store.sources.list()).find((source) => source.name === name);
  const found = await sources.refresh(name, signal);
  const announce = async (...notices: readonly Notice[]) => {
    await store.events.append({ type: 'source.changed', account: null, resource: name });
    await notifier.enqueue(...notices);
  };
  if (!found.ok) {
    const [first] = found.problems;
    if (first === undefined || signal.aborted) return undefined;
    const { code, message, hint } = first;
    await store.sources.failed(name, { code, message, ...(hint === undefined ? {} : { hint }) });
    if ((before?.problem ?? null) === null) await announce(failureNotice(name, message, hint));
    else if (before?.problem?.message !== message) await announce();
    return before?.problem?.message === message ? undefined : { problem: message };
  }
  const isNew = await store.sources.fetched(name, found.value.commit);
  const wasFailing = (before?.problem ?? null) !== null;
  if (isNew || wasFailing) await announce(...(wasFailing ? [recoveryNotice(name)] : []));
  if (!isNew) return wasFailing ? { commit: found.value.commit } : undefined;
  sources.prune(name, before?.commit ? [before.commit] : []);
  const accounts = settings.accounts.filter((account) => sourceOf(settings, account).name === name);
  await happenToEach(new Map(accounts.map((each) => [each.name, { kind: 'source-changed' }])), parts);
  return { commit: found.value.commit };
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
