import { describe, expect, it } from 'vitest';
import { ok } from '../../src/core/problem/problem.ts';
import type { PostedComment } from '../../src/forge/forge.ts';
import { furtherComments, roomInComments } from '../../src/forge/further-comments.ts';
import { printMarker } from '../../src/forge/marker.ts';
import { planComment } from '../../src/forge/plan-comment.ts';
import { putComment, reviewedPlan } from '../../src/forge/put-comment.ts';
import { paintMarkdown } from '../../src/output/review/markdown.ts';
import { toRows } from '../../src/output/review/rows.ts';
import { givenPlan } from '../given/plan.ts';

const limit = 65_536;

function commentsOn(size: number) {
  const ids = Array.from({ length: size }, (_, index) => 10_000 + index);
  const isOld = (id: number) => id % 10 === 0;
  const plan = givenPlan({
    hosts: ids.map((id) => ({ id, name: `${isOld(id) ? 'OLD' : 'PC'}-${id}`, group: 10, online: false })),
    entries: ids.map((id) =>
      isOld(id) ? { id, ensure: 'absent' as const } : { id, name: `KIOSK-${id}`, group: { id: 11 } },
    ),
    groups: { 10: 'Lisbon', 11: 'Porto' },
  });
  const first = planComment(plan, { key: 'default', limit, foot: [], links: {} });
  const full = paintMarkdown(toRows(plan), { limit: roomInComments(limit) });
  return { ids, first, further: furtherComments(first, full, 'default', limit) };
}

describe('the comments that continue a long one', () => {
  it('are none if nothing is left out', () => {
    expect(commentsOn(50).further).toEqual([]);
  });

  it('have each row that the first one leaves out, once, below its title and its columns', () => {
    const { ids, first, further } = commentsOn(3_000);
    expect(further.length).toBeGreaterThan(1);
    for (const id of ids) {
      const found = [first, ...further].filter((text) => text.includes(`-${id}\``));
      expect(found, String(id)).toHaveLength(1);
    }
    for (const [index, text] of further.entries()) {
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(text.startsWith(printMarker({ key: 'default', part: index + 2 }))).toBe(true);
      const lines = text.split('\n');
      const firstRow = lines.findIndex((line) => line.startsWith('| `'));
      expect(lines[firstRow - 1]).toMatch(/^\| --- /);
      expect(lines[firstRow - 2]).toMatch(/^\| host \| /);
    }
    expect(further.at(-1)).not.toContain('see the plan file');
  });

  it('are limited to four, and the last one counts the remaining rows', () => {
    const { further } = commentsOn(12_000);
    expect(further).toHaveLength(4);
    expect(further.at(-1)).toMatch(/\*\*[\d,]+ more hosts\*\*: see the plan file/);
  });
});

describe('the parts of a comment', () => {
  const me = 'bot';
  const posted: PostedComment[] = [];
  let made = 0;
  const comments = {
    author: async () => ok(me),
    list: async () => ok([...posted]),
    create: async (body: string) => {
      posted.push({ id: String((made += 1)), author: me, body });
      return ok(null);
    },
    update: async (id: PostedComment['id'], body: string) => {
      const at = posted.findIndex((each) => each.id === id);
      posted.splice(at, 1, { ...(posted[at] as PostedComment), body });
      return ok(null);
    },
    remove: async (id: PostedComment['id']) => {
      posted.splice(
        posted.findIndex((each) => each.id === id),
        1,
      );
      return ok(null);
    },
  } as unknown as Parameters<typeof putComment>[0];
  const checksum = 'a'.repeat(64);
  const first = (text: string) => `${printMarker({ key: 'default', checksum })}${text}`;
  const part = (number: number, text: string) => `${printMarker({ key: 'default', part: number })}${text}`;
  const bodies = () => posted.map(({ body }) => body);

  it('are updated in place, and removed once they are no longer needed', async () => {
    const options = { key: 'default', style: 'update', worthCreating: true } as const;
    const put = (text: string, ...further: string[]) =>
      putComment(comments, first(text), { ...options, further });
    expect(await put('1', part(2, 'x'), part(3, 'y'))).toEqual(ok('created'));
    expect(bodies()).toEqual([first('1'), part(2, 'x'), part(3, 'y')]);
    expect(await put('1', part(2, 'z'))).toEqual(ok('unchanged'));
    expect(bodies()).toEqual([first('1'), part(2, 'z')]);
    expect(await reviewedPlan(comments, 'default')).toEqual(ok({ checksum }));
    expect(
      await putComment(comments, first('2'), { ...options, style: 'recreate', further: [part(2, 'w')] }),
    ).toEqual(ok('recreated'));
    expect(bodies()).toEqual([first('2'), part(2, 'w')]);
    expect(await put('3')).toEqual(ok('updated'));
    expect(bodies()).toEqual([first('3')]);
  });
});
