import { type EmulatedAnswer, encode } from './answer.ts';
import type { EmulatedAction } from './emulated-action.ts';
import type { FleetView } from './fleet-store.ts';

/** The lists whose text depends only on the fleet. */
const cachedActions: ReadonlySet<EmulatedAction> = new Set([
  'listHosts',
  'listHostsV1',
  'listHostsWithGroups',
  'listCustomFields',
] as const);

/** Writes the list of a large fleet once for each revision. */
export type ListCache = (
  action: EmulatedAction,
  view: FleetView,
  write: () => EmulatedAnswer,
) => EmulatedAnswer;

export function createListCache(): ListCache {
  const lists = new Map<EmulatedAction, { readonly revision: number; readonly answer: EmulatedAnswer }>();
  return (action, view, write) => {
    if (view.revision === undefined || !cachedActions.has(action)) return write();
    const known = lists.get(action);
    if (known?.revision === view.revision) return known.answer;
    const answer = write();
    const cached = typeof answer.body === 'string' ? { ...answer, body: encode(answer.body) } : answer;
    lists.set(action, { revision: view.revision, answer: cached });
    return cached;
  };
}
