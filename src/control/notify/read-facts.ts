import { z } from 'zod';
import type { NoticeFacts } from './notice.ts';

const schema = z.object({
  title: z.string(),
  lines: z.array(z.string()).optional(),
  path: z.string().optional(),
  hosts: z.number().optional(),
});

/** The facts of a stored notice. One of another version is shown as far as it is understood. */
export function readFacts(stored: unknown): NoticeFacts {
  const read = schema.safeParse(stored);
  if (!read.success) return { title: 'A notice of another version of Rampart' };
  const { title, lines, path, hosts } = read.data;
  return {
    title,
    ...(lines === undefined ? {} : { lines }),
    ...(path === undefined ? {} : { path }),
    ...(hosts === undefined ? {} : { hosts }),
  };
}
