import { describe, expect, it } from 'vitest';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import { type AuditLog, eachRecord, notEmpty } from '../../../../src/run/state/audit/audit-log.ts';

function logOf(page: AuditLog['page']): Pick<AuditLog, 'page'> {
  return { page };
}

const records = ['a', 'b', 'c'].map((text) => ({ hash: `hash of ${text}`, text }));

describe('reading a whole audit log', () => {
  it('visits the records of every page in order', async () => {
    const audit = logOf(async (cursor) =>
      ok({ records: records.slice(cursor, cursor + 2), next: cursor === 0 ? 2 : null }),
    );
    const seen: string[] = [];
    expect(await eachRecord(audit, ({ text }) => void seen.push(text))).toEqual(ok(null));
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it("fails if a page can't be read", async () => {
    const broken = problem('state', 'the disk is broken');
    const audit = logOf(async (cursor) => (cursor === 0 ? ok({ records, next: 3 }) : failed(broken)));
    const seen: string[] = [];
    const read = await eachRecord(audit, ({ text }) => void seen.push(text));
    expect(read).toMatchObject({ ok: false, problems: [broken] });
    expect(seen).toEqual(['a', 'b', 'c']);
  });
});

it('a log that is not empty is a problem of the state, with a hint', () => {
  expect(notEmpty('the folder .rampart')).toMatchObject({
    code: 'state',
    message: 'the audit log of the folder .rampart is not empty',
    hint: 'import into a state that was never used',
  });
});
