import type { Clock } from '../../core/lib/clock.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { familyOf } from '../../core/problem/problem-code.ts';
import { failed, type Result } from '../../core/problem/result.ts';

export interface WaitOptions {
  /** How long the host may take to enroll, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HostWait extends WaitOptions {
  readonly clock: Clock;
  /** How long to wait between two reads, in milliseconds. */
  readonly pollMs: number;
  read(): Promise<Result<ObservedHost>>;
}

/** Reads until the host exists, or until there is an obstacle other than its absence. */
export async function waitForHost({
  clock,
  pollMs,
  timeoutMs,
  signal,
  read,
}: HostWait): Promise<Result<ObservedHost>> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const found = await read();
    if (found.ok || !found.problems.every(mayPass)) return found;
    const leftMs = deadline - clock.now();
    if (leftMs <= 0) return failed(...found.problems.map((each) => waitedFor(each, timeoutMs)));
    await clock.sleep(Math.min(pollMs, leftMs), signal);
    if (signal?.aborted === true) return failed(cancelled());
  }
}

/** The host does not exist yet, or the list could not be read this time. */
function mayPass({ code }: Problem): boolean {
  if (code === 'awaiting-enrollment' || code === 'missing-host') return true;
  return familyOf(code) === 'service' && code !== 'cancelled';
}

function waitedFor(cause: Problem, timeoutMs: number): Problem {
  const seconds = Math.round(timeoutMs / 1000);
  return { ...cause, message: `${cause.message}, after a wait of ${seconds} s` };
}

function cancelled(): Problem {
  return problem('cancelled', 'Terraform cancelled the wait for a host to enroll');
}
