import { ok, type Result } from '../core/problem/result.ts';
import type { Comments, PostedComment } from './forge.ts';
import { readMarker } from './marker.ts';

export interface PutOptions {
  readonly key: string;
  /** `recreate` moves it to the end of the conversation. */
  readonly style: 'update' | 'recreate';
  /** Should a comment be created? An existing one is always updated. */
  readonly worthCreating: boolean;
}

export type PutOutcome = 'created' | 'updated' | 'recreated' | 'unchanged' | 'left-out';

/** One comment for each key, however often this runs. It only changes comments of its own author. */
export async function putComment(
  comments: Comments,
  body: string,
  { key, style, worthCreating }: PutOptions,
): Promise<Result<PutOutcome>> {
  const mine = await ownComments(comments, key);
  if (!mine.ok) return mine;
  const last = mine.value.at(-1);
  if (last === undefined) {
    return worthCreating ? after(await comments.create(body), 'created') : ok('left-out');
  }
  if (style === 'recreate') {
    const created = await comments.create(body);
    return created.ok ? removeAll(comments, mine.value, 'recreated') : created;
  }
  const isSame = last.body === body;
  const updated = isSame ? ok(null) : await comments.update(last.id, body);
  if (!updated.ok) return updated;
  return removeAll(comments, mine.value.slice(0, -1), isSame ? 'unchanged' : 'updated');
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
  const last = mine.value.at(-1);
  const { checksum, changes, head } = (last === undefined ? undefined : readMarker(last.body)) ?? {};
  if (checksum === undefined) return ok(null);
  const changedAt = last?.changedAt;
  return ok({
    checksum,
    ...(changes === undefined ? {} : { changes }),
    ...(head === undefined ? {} : { head }),
    ...(changedAt === undefined ? {} : { changedAt }),
  });
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
