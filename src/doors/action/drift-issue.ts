import { exitCodes } from '../../control/engine/exit-code.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import type { Github } from './github.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { runLink } from './publish.ts';

/** In characters. GitHub accepts as many as in a comment. */
const issueLimit = 60_000;

/**
 * One open issue for each key shows the drift: it is opened with the first difference, updated by each run, and closed
 * when there is none. A run that could not compare the fleet leaves it as it is.
 */
export async function updateDriftIssue(
  job: Job,
  outcome: Outcome,
  github: () => Result<Github>,
): Promise<Result<null>> {
  const { exitCode, markdown } = outcome;
  const hasDrifted = exitCode === exitCodes.changes;
  if (!hasDrifted && exitCode !== exitCodes.success) return ok(null);
  const api = github();
  if (!api.ok) return api;
  const { issues } = api.value;
  const open = await issues.listOpen();
  if (!open.ok) return open;
  const { key } = job.inputs;
  const marker = `<!-- rampart drift key=${key} -->\n`;
  const [first, ...others] = open.value.filter(({ body }) => body.replaceAll('\r', '').startsWith(marker));
  const foot = runLink(job).length === 0 ? '' : `\n<sub>${runLink(job).join(' · ')}</sub>\n`;
  const body = job.redaction.redact(marker + markdown(issueLimit) + foot);
  // Two runs at the same time may each have opened one.
  for (const { number } of hasDrifted ? others : [first, ...others].filter((each) => each !== undefined)) {
    const closed = await issues.close(number, body);
    if (!closed.ok) return closed;
  }
  if (!hasDrifted) return ok(null);
  const title = key === 'default' ? 'The fleet has drifted' : `The fleet of ${key} has drifted`;
  return first === undefined ? issues.create(title, body) : issues.update(first.number, body);
}
