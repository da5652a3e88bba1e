import { describe, expect, it } from 'vitest';
import type { RegisterContent, RegisterRequest } from '../../../src/core/model/register-request.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import {
  fetchedOnce,
  fetchRegisters,
  noRegisters,
  registerTable,
} from '../../../src/input/tables/register-table.ts';

const first: RegisterRequest = { source: 'cmdb', query: 'SELECT 1' };
const second: RegisterRequest = { source: 'cmdb', query: 'SELECT 2' };
const content: RegisterContent = {
  rows: [{ serial: 'S1', site: { name: 'Berlin' } }],
  origin: 'https://cmdb.example.com/rows',
  hash: 'a1',
  changedAt: '2026-11-21T09:00:00Z',
};

/** A register that counts its reads, and gives each request its own hash. */
function registerWithCount() {
  const asked: RegisterRequest[] = [];
  const fetch = (request: RegisterRequest) => {
    asked.push(request);
    return Promise.resolve(ok({ ...content, hash: `read ${asked.length}` }));
  };
  return { asked, fetch };
}

describe('the registers of a desired state', () => {
  it('are read once for each request before it is read', async () => {
    const { asked, fetch } = registerWithCount();
    const registers = await fetchRegisters([first, second, { ...first }], fetch);
    expect(asked).toEqual([first, second]);
    expect(registers(second)).toMatchObject({ value: { hash: 'read 2' } });
    expect(registers({ ...first })).toMatchObject({ value: { hash: 'read 1' } });
    expect(asked).toHaveLength(2);
  });

  it('are read once for all accounts of a command', async () => {
    const { asked, fetch } = registerWithCount();
    const shared = fetchedOnce(fetch);
    const reads = await Promise.all([shared(first), shared({ ...first }), shared(second)]);
    expect(reads.map((each) => each.ok && each.value.hash)).toEqual(['read 1', 'read 1', 'read 2']);
    expect(await shared(first)).toBe(reads[0]);
    expect(asked).toEqual([first, second]);
  });

  it("can't be read without a network, or if nothing requested them before", async () => {
    const refused = {
      ok: false,
      problems: [{ code: 'usage', message: expect.stringContaining('the source "cmdb"') as string }],
    };
    expect(noRegisters(first)).toMatchObject(refused);
    expect((await fetchRegisters([first], undefined))(first)).toMatchObject(refused);
    expect((await fetchRegisters([second], registerWithCount().fetch))(first)).toMatchObject(refused);
  });
});

describe('the table of a register', () => {
  it('has the rows of the register and what is known about them', () => {
    const table = registerTable(ok(content));
    if (!table.ok) throw new Error(table.problems[0]?.message);
    const { rows, ...facts } = table.value;
    expect(facts).toEqual({ origin: content.origin, hash: 'a1', changedAt: content.changedAt });
    expect([rows.count, rows.cellAt(0, 'serial'), rows.cellAt(0, 'site.name')]).toEqual([1, 'S1', 'Berlin']);
    expect(rows.positionOf(0).file).toBe(content.origin);
  });

  it('is not created from a register that was not read, or from rows that are not objects', () => {
    const unread = failed(problem('table-unreadable', 'no'));
    expect(registerTable(unread)).toBe(unread);
    expect(registerTable(ok({ ...content, rows: [{}, 1] }))).toMatchObject({
      ok: false,
      problems: [{ code: 'table-unreadable', message: 'this row is not an object' }],
    });
  });
});
