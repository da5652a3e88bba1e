import { z } from 'zod';
import { defined } from '../../../core/lib/defined.ts';
import type { NotificationKind } from '../../settings/server-settings.ts';

/** Small facts about one event. All texts may come from a service or a file, so they are hostile. */
export interface NoticeFacts {
  /** What happened, as one sentence without a period: `12 hosts differ because of rule "kiosks"`. */
  readonly title: string;
  /** More about it, each on its own line. */
  readonly lines?: readonly string[];
  /** A path of the console, such as `/changes/01j…`. */
  readonly path?: string;
  /** How many hosts or changes it concerns; summed up over the accounts of one topic. */
  readonly hosts?: number;
}

/** Something that people may want to know. It is sent only when it begins or ends, not as long as it lasts. */
export interface Notice {
  readonly kind: NotificationKind;
  /** Null if it concerns no account, such as a source. */
  readonly account: string | null;
  /** The cause. Notices with the same topic become one message. */
  readonly topic: string;
  readonly facts: NoticeFacts;
}

const facts = z.object({
  title: z.string(),
  lines: z.array(z.string()).optional(),
  path: z.string().optional(),
  hosts: z.number().optional(),
});

/** The facts of a stored notice. One of another version is shown as far as it is understood. */
export function readNoticeFacts(stored: unknown): NoticeFacts {
  const read = facts.safeParse(stored);
  if (!read.success) return { title: 'A notice of another version of Rampart' };
  const { title, lines, path, hosts } = read.data;
  return {
    title,
    ...defined({ lines, path, hosts }),
  };
}
