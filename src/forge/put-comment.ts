import { defined } from '../core/lib/defined.ts';
import { ok, type Result } from '../core/problem/problem.ts';
import type { CodeForge, Comments, PostedComment } from './forge.ts';
import { readMarker } from './marker.ts';

export interface PutOptions {
  readonly key: string;
  /** `recreate` moves it to the end of the conversation. */
  readonly style: 'update' | 'recreate';
  /** Should a comment be created? An existing one is always updated. */
  readonly worthCreating: boolean;
  /** The comments that continue it. Others that continued it before are removed. */
  readonly further?: readonly string[];
}

export type PutOutcome = 'created' | 'updated' | 'recreated' | 'unchanged' | 'left-out';

/** One comment for each key and part, however often this runs. It only changes comments of its own author. */
export async function putComment(
  comments: Comments,
  body: string,
  { key, style, worthCreating, further = [] }: PutOptions,
): Promise<Result<PutOutcome>> {
  const mine = await ownComments(comments, key);
  if (!mine.ok) return mine;
  const parts = Map.groupBy(mine.value, ({ body: text }) => readMarker(text)?.part ?? 1);
  const putPart = (text: string, part: number) => putOne(comments, text, parts.get(part) ?? [], style);
  if (!worthCreating && !parts.has(1)) return ok('left-out');
  const first = await putPart(body, 1);
  if (!first.ok) return first;
  for (const [index, text] of further.entries()) {
    const put = await putPart(text, index + 2);
    if (!put.ok) return put;
  }
  const left = [...parts].flatMap(([part, old]) => (part > further.length + 1 ? old : []));
  return removeAll(comments, left, first.value);
}

async function putOne(
  comments: Comments,
  body: string,
  old: readonly PostedComment[],
  style: PutOptions['style'],
): Promise<Result<PutOutcome>> {
  const last = old.at(-1);
  if (last === undefined) return after(await comments.create(body), 'created');
  if (style === 'recreate') {
    const created = await comments.create(body);
    return created.ok ? removeAll(comments, old, 'recreated') : created;
  }
  const isSame = last.body === body;
  const updated = isSame ? ok(null) : await comments.update(last.id, body);
  if (!updated.ok) return updated;
  return removeAll(comments, old.slice(0, -1), isSame ? 'unchanged' : 'updated');
}

/** A plan that a comment by this author shows. */
export interface ReviewedPlan {
  readonly checksum: string;
  /** Of several accounts: the digest of their changes. */
  readonly changes?: string;
  readonly head?: string;
  /** When the comment was last changed. */
  readonly changedAt?: string;
}

/** The plan in the latest comment by this author; null if there is none that can be applied. */
export async function reviewedPlan(comments: Comments, key: string): Promise<Result<ReviewedPlan | null>> {
  const mine = await ownComments(comments, key);
  if (!mine.ok) return mine;
  const last = mine.value.findLast(({ body }) => readMarker(body)?.part === undefined);
  const { checksum, changes, head } = (last === undefined ? undefined : readMarker(last.body)) ?? {};
  if (checksum === undefined) return ok(null);
  const changedAt = last?.changedAt;
  return ok({
    checksum,
    ...defined({ changes, head, changedAt }),
  });
}

/** The number of the pull request whose merge made this commit. */
export async function mergedAs(
  commit: string,
  forge: Pick<CodeForge, 'mergedPulls'>,
): Promise<Result<number | undefined>> {
  const pulls = await forge.mergedPulls(commit);
  return pulls.ok ? ok(pulls.value.find(({ isExact }) => isExact)?.number) : pulls;
}

async function ownComments(comments: Comments, key: string): Promise<Result<readonly PostedComment[]>> {
  const author = await comments.author();
  if (!author.ok) return author;
  const listed = await comments.list();
  if (!listed.ok) return listed;
  return ok(
    listed.value.filter((each) => each.author === author.value && readMarker(each.body)?.key === key),
  );
}

/** Two concurrent runs may each have created one: all except the last are removed. */
async function removeAll(
  comments: Comments,
  old: readonly PostedComment[],
  outcome: PutOutcome,
): Promise<Result<PutOutcome>> {
  for (const { id } of old) {
    const removed = await comments.remove(id);
    if (!removed.ok) return removed;
  }
  return ok(outcome);
}

function after(done: Result<unknown>, outcome: PutOutcome): Result<PutOutcome> {
  return done.ok ? ok(outcome) : done;
}
