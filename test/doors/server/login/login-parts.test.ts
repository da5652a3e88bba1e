import { describe, expect, test } from 'vitest';
import { ok } from '../../../../src/core/problem/result.ts';
import { createActs } from '../../../../src/doors/server/login/acts.ts';
import { cookiesFor } from '../../../../src/doors/server/login/cookies.ts';
import { readAttempts, writeAttempts } from '../../../../src/doors/server/login/login-attempts.ts';
import { emailIn, groupsIn, nameIn } from '../../../../src/doors/server/login/people-claims.ts';
import { grantsOf } from '../../../../src/doors/server/login/stored-identity.ts';
import type { AuditLog } from '../../../../src/run/state/audit/audit-log.ts';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';

function givenActs() {
  const entries: AuditEntry[] = [];
  const audit = {
    append: async (_clock: unknown, added: readonly AuditEntry[]) => {
      entries.push(...added);
      return ok({ seq: 1, hash: '' });
    },
  } as unknown as AuditLog;
  return { entries, acts: createActs({ audit, clock: { now: () => 0, sleep: async () => {} } }) };
}

describe('a record of an act', () => {
  test('names who did it, from where, and why', async () => {
    const { entries, acts } = givenActs();
    const by = { kind: 'token', id: 'id-1', name: 'script' } as const;
    await acts.record({ kind: 'paused', by, from: '192.0.2.1', what: { scope: 'all' }, reason: 'a\nmove' });
    expect(entries).toStrictEqual([
      {
        kind: 'paused',
        origin: { actor: 'script', host: '192.0.2.1', command: 'server', reason: 'a move' },
        what: { by, scope: 'all' },
      },
    ]);
  });

  test('of someone without a name says so, and a first refusal counts no others', async () => {
    const { entries, acts } = givenActs();
    const by = { kind: 'person', id: '', name: '' } as const;
    await acts.recordRefusal({ kind: 'login-refused', by, from: '', what: {} });
    expect(entries).toStrictEqual([
      {
        kind: 'login-refused',
        origin: { actor: 'unknown', host: 'unknown', command: 'server' },
        what: { by: { kind: 'person', id: '', name: '' } },
      },
    ]);
  });
});

describe('the logins that a browser has begun', () => {
  const attempt = (number: number, to = '/') => ({ state: `s${number}`, nonce: 'n', verifier: 'v', to });

  test('are read as they were written, latest first', () => {
    const value = writeAttempts(attempt(2), [attempt(1)]);
    expect(readAttempts(value)).toEqual([attempt(2), attempt(1)]);
    expect(readAttempts(undefined)).toEqual([]);
  });

  test('fit into a cookie: the earliest are forgotten, and the latest never', () => {
    let value = '';
    for (let at = 0; at < 200; at += 1)
      value = writeAttempts(attempt(at, `/${'x'.repeat(100)}`), readAttempts(value));
    const kept = readAttempts(value);
    expect(value.length).toBeLessThanOrEqual(3_500);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept[0]?.state).toBe('s199');
    expect(kept.at(-1)?.state).toBe(`s${200 - kept.length}`);
  });

  test('forget the page to go to if it does not fit', () => {
    const value = writeAttempts(attempt(1, `/${'x'.repeat(3_000)}`), [attempt(0)]);
    expect(readAttempts(value)).toEqual([attempt(1)]);
  });
});

describe('the claims of a person', () => {
  test('have groups as a list, as one text, or not at all', () => {
    expect(groupsIn({ groups: ['a', 'b'] }, 'groups')).toEqual(['a', 'b']);
    expect(groupsIn({ groups: 'a' }, 'groups')).toEqual(['a']);
    expect(groupsIn({ groups: ['a', '', 7, null, ['b'], 'x'.repeat(501)] }, 'groups')).toEqual(['a']);
    expect(groupsIn({}, 'groups')).toBe(null);
    expect(groupsIn({}, 'toString')).toBe(null);
    expect(groupsIn({ groups: Array.from({ length: 2_000 }, (_, at) => `g${at}`) }, 'groups')).toHaveLength(
      1_000,
    );
  });

  test('have a name on one line, whatever the provider sends', () => {
    expect(nameIn({ name: 'Ada\n Lovelace', sub: '1' })).toBe('Ada Lovelace');
    expect(nameIn({ name: ' ', preferred_username: 'ada' })).toBe('ada');
    expect(nameIn({ name: 7, email: 'ada@example.com' })).toBe('ada@example.com');
    expect(nameIn({ sub: '1' })).toBe('1');
    expect(nameIn({})).toBe('unknown');
    expect(nameIn({ name: `a\u202e${'b'.repeat(500)}` })).toMatch(/^a‹U\+202E›b{198}$/);
    expect(emailIn({ email: ['a'] })).toBe(null);
  });
});

describe('the roles of groups', () => {
  const place = { file: 'rampart.config.yaml', line: 1, col: 1 };

  test('are those of every rule that names one of them exactly', () => {
    const rules = [
      { group: 'ops', role: 'operator' as const, place },
      { group: 'ops', role: 'approver' as const, where: 'true', place },
      { group: 'OPS', role: 'admin' as const, place },
    ];
    expect(grantsOf(['ops', 'ops'], rules)).toStrictEqual([
      { role: 'operator' },
      { role: 'approver', where: 'true' },
    ]);
    expect(grantsOf([], rules)).toEqual([]);
  });
});

describe('cookies', () => {
  test('are read by their exact name', () => {
    const read = (cookie: string, isTls = false) =>
      cookiesFor(isTls).read(new Headers({ cookie }), 'rampart-session');
    expect(read('a=b; rampart-session=x=y; c=d')).toBe('x=y');
    expect(read('xrampart-session=a')).toBe(undefined);
    expect(read('rampart-session=')).toBe(undefined);
    expect(read('rampart-session=a', true)).toBe(undefined);
    expect(read('__Host-rampart-session=a', true)).toBe('a');
    expect(cookiesFor(false).read(new Headers(), 'rampart-session')).toBe(undefined);
  });
});
