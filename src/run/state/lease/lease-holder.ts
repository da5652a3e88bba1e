import { z } from 'zod';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** Who holds a lock, where, and since when (RFC 3339). */
export const lockHolderSchema = z.object({
  pid: z.int().positive(),
  machine: z.string(),
  user: z.string(),
  since: z.string(),
  /** When the process began, in its machine's own format; absent if unknown. */
  started: z.string().optional(),
  /** The number of this change of holder; absent until the lock is taken. */
  epoch: z.int().positive().optional(),
  /** A person's or a job's name. */
  actor: z.string().optional(),
  /** The address of the pipeline's job. */
  job: z.string().optional(),
  /** The id of its run. It is looked up on request, because the lock is older than the run. */
  run: z.string().optional(),
});
export type LockHolder = z.infer<typeof lockHolderSchema>;

/** Undefined if there is no text, or if it is not that of a lock. */
export function readHolder(text: string | undefined): LockHolder | undefined {
  return lockHolderSchema.safeParse(parseJson(String(text))).data;
}

export function describeHolder({ actor, user, machine, pid, since, run, job }: LockHolder): string {
  const details = [
    `process ${pid}`,
    `since ${since}`,
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(job === undefined ? [] : [`job ${job}`]),
  ];
  return `of ${actor ?? user} on ${machine} (${details.join(', ')})`;
}

/** `who` holds the lock, as `describeHolder` words it. */
export function lockHeld(who: string): Problem {
  return problem('lock-held', `another run is in progress: it holds the lock ${who}`, {
    hint: 'wait for it with --lock-timeout, or if you are sure that it has ended, run: rampart state unlock',
  });
}
