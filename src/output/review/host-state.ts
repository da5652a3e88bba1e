import { printable } from '../../core/lib/printable.ts';
import type { HostState } from '../../core/plan/types/plan.ts';

/** `offline since 2024-02-01`: the day as the service wrote it, because a time of day makes rows wrap. */
export function stateText({ online, stateChangedAt }: HostState): string {
  const since =
    stateChangedAt === undefined ? '' : ` since ${dayOf(stateChangedAt) ?? printable(stateChangedAt)}`;
  return `${online ? 'online' : 'offline'}${since}`;
}

/** The day of a time; undefined if the text is not a time. */
export function dayOf(time: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}(?=T)/.exec(time)?.[0];
}
