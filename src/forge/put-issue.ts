import { ok, type Result } from '../core/problem/result.ts';
import type { IssueContent, Issues } from './forge.ts';

export type IssueOutcome = 'opened' | 'updated' | 'closed' | 'not-needed';

/** One open issue while there is something to show, and none otherwise, however often this runs. */
export async function putIssue(
  issues: Issues,
  content: IssueContent,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<Result<IssueOutcome>> {
  const open = await issues.listOpen();
  if (!open.ok) return open;
  const [first, ...others] = open.value;
  // Two concurrent runs may each have opened one.
  for (const id of isNeeded ? others : open.value) {
    const closed = await issues.close(id, content);
    if (!closed.ok) return closed;
  }
  if (!isNeeded) return ok(first === undefined ? 'not-needed' : 'closed');
  const put = first === undefined ? await issues.create(content) : await issues.update(first, content);
  return put.ok ? ok(first === undefined ? 'opened' : 'updated') : put;
}
