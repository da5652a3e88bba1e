import { ok, type Result } from '../core/problem/result.ts';
import type { Github } from '../forge/github.ts';
import { putIssue } from '../forge/put-issue.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';

/** One open issue for each key shows the drift. A run that could not compare the fleet leaves the issue unchanged. */
export async function updateDriftIssue(
  { inputs, redaction }: Job,
  { issue }: Outcome,
  github: () => Result<Github>,
): Promise<Result<unknown>> {
  if (issue === undefined) return ok(null);
  const api = github();
  if (!api.ok) return api;
  const { redact } = redaction;
  const { content, isNeeded } = issue;
  const shown = { ...content, summary: redact(content.summary), report: redact(content.report) };
  return putIssue(api.value.issues(inputs.key), shown, { isNeeded });
}
