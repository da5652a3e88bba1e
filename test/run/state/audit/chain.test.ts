import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import {
  chainHeadOf,
  chainRecords,
  emptyChain,
  parseRecord,
  type StoredRecord,
} from '../../../../src/run/state/audit/chain.ts';
import { type Verification, verifyChain } from '../../../../src/run/state/audit/verify-chain.ts';

const at = '2026-11-21T09:00:00.000Z';

function entry(reason: string): AuditEntry {
  return { kind: 'unlock', origin: { actor: 'alice', host: 'vm', reason }, what: { holder: null } };
}

function chain(reasons: readonly string[]): readonly StoredRecord[] {
  return chainRecords(emptyChain, reasons.map(entry), at).records;
}

function verify(records: readonly StoredRecord[], keptHead?: string): Verification {
  const verifier = verifyChain(keptHead);
  records.forEach((record) => verifier.add(record));
  return verifier.end();
}

const kinds = (verification: Verification) => verification.faults.map(({ kind, seq }) => `${kind} ${seq}`);
const five = chain(['a', 'b', 'c', 'd', 'e']);
const reasons = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 20 });

describe('the chain', () => {
  it('continues from its head, in one write or in several', () => {
    fc.assert(
      fc.property(reasons, reasons, (first, second) => {
        const start = chainRecords(emptyChain, first.map(entry), at);
        const rest = chainRecords(start.head, second.map(entry), at);
        expect([...start.records, ...rest.records]).toEqual(chain([...first, ...second]));
        expect(rest.records.map(chainHeadOf).at(-1)).toEqual(rest.head);
      }),
    );
  });

  it('is intact as it was written, and has its head', () => {
    fc.assert(
      fc.property(reasons, (all) => {
        const records = chain(all);
        const { faults, head } = verify(records);
        expect(faults).toEqual([]);
        expect(head).toEqual({ seq: records.length, hash: records.at(-1)?.hash });
        for (const { hash } of records) expect(verify(records, hash).faults).toEqual([]);
      }),
    );
  });

  it('shows one changed character anywhere, in the text or in the hash', () => {
    fc.assert(
      fc.property(reasons, fc.nat(), fc.nat(), fc.boolean(), (all, record, character, inHash) => {
        const records = [...chain(all)];
        const index = record % records.length;
        const { hash, text } = records[index] as StoredRecord;
        const changed = (given: string) => {
          const place = character % given.length;
          const other = given[place] === '0' ? '1' : '0';
          return given.slice(0, place) + other + given.slice(place + 1);
        };
        records[index] = inHash ? { hash: changed(hash), text } : { hash, text: changed(text) };
        expect(verify(records).faultCount).toBeGreaterThan(0);
      }),
    );
  });

  it('shows a record that is missing from its start or its middle', () => {
    fc.assert(
      fc.property(reasons, fc.nat(), (all, which) => {
        const records = chain([...all, 'last']);
        const index = which % all.length;
        expect(kinds(verify(records.toSpliced(index, 1)))).toEqual([`missing ${index + 1}`]);
      }),
    );
  });

  it('shows a record that was inserted anywhere, even with a matching number and hash', () => {
    fc.assert(
      fc.property(reasons, fc.nat(), (all, which) => {
        const records = chain(all);
        const index = which % records.length;
        const before = index === 0 ? emptyChain : chainHeadOf(records[index - 1] as StoredRecord);
        const forged = chainRecords(before ?? emptyChain, [entry('forged')], at).records;
        expect(verify(records.toSpliced(index, 0, ...forged)).faultCount).toBeGreaterThan(0);
      }),
    );
  });

  it('shows that records were removed at the end only with a saved head', () => {
    const kept = five.at(-1)?.hash ?? '';
    expect(verify(five.slice(0, 3)).faults).toEqual([]);
    expect(kinds(verify(five.slice(0, 3), kept))).toEqual(['cut-off 3']);
    expect(kinds(verify([], kept))).toEqual(['cut-off 0']);
  });

  it('shows a rewritten chain with a saved head', () => {
    const kept = five[2]?.hash ?? '';
    expect(verify(five, kept).faults).toEqual([]);
    expect(kinds(verify(chain(['a', 'x', 'c', 'd', 'e']), kept))).toEqual(['cut-off 5']);
  });

  it('reports a text that is not a record as changed, even if its hash fits', () => {
    const garbage = { hash: sha256Hex('{}'), text: '{}' };
    expect(kinds(verify(five.toSpliced(2, 1, garbage)))).toEqual(['changed 3', 'replaced 3']);
  });

  it('does not accept a changed record as the saved head', () => {
    const third = five[2] as StoredRecord;
    const changed = { hash: third.hash, text: third.text.replace('alice', 'alicf') };
    expect(kinds(verify(five.with(2, changed), third.hash))).toEqual(['changed 3', 'cut-off 5']);
  });

  it('reports a changed record once if its number came before', () => {
    const second = five[1] as StoredRecord;
    const changed = { hash: second.hash, text: second.text.replace('alice', 'alicf') };
    expect(kinds(verify([...five, changed]))).toEqual(['changed 2']);
  });

  it('accepts a record that follows either of two records with the number before', () => {
    const second = chainHeadOf(five[1] as StoredRecord) ?? emptyChain;
    const other = chainRecords(second, [entry('x'), entry('y')], at).records;
    expect(kinds(verify([...five.slice(0, 3), ...other]))).toEqual(['added 3']);
  });

  it('reports a record that follows a repeated older record', () => {
    const [first] = five as readonly [StoredRecord];
    const fourth = chainRecords({ seq: 3, hash: first.hash }, [entry('x')], at).records;
    expect(kinds(verify([...five.slice(0, 3), first, ...fourth]))).toEqual(['added 1', 'replaced 3']);
  });

  it('reports which records are missing, and where the chain breaks', () => {
    const messages = (records: readonly StoredRecord[]) =>
      verify(records).faults.map(({ message }) => message);
    expect(messages(five.toSpliced(1, 1))).toEqual(['record 2 is missing']);
    expect(messages(five.toSpliced(1, 2))).toEqual(['records 2 to 3 are missing']);
    const late = chainRecords({ seq: 0, hash: 'f'.repeat(64) }, [entry('x')], at).records;
    expect(messages(late)).toEqual([
      'record 1 refers to an earlier record: the start of the log was removed',
    ]);
    const forged = chainRecords({ seq: 2, hash: five[1]?.hash ?? '' }, [entry('forged')], at).records;
    expect(messages(five.toSpliced(2, 1, ...forged))).toEqual([
      'record 4 does not follow record 3: one of them was replaced',
    ]);
  });

  it('keeps a bounded list of faults', () => {
    const garbage = Array.from({ length: 1000 }, () => ({ hash: '', text: '{}' }));
    const { faults, faultCount } = verify(garbage);
    expect(faults).toHaveLength(100);
    expect(faultCount).toBe(1000);
  });

  it('is empty without a record', () => {
    expect(verify([])).toEqual({ records: 0, head: null, faults: [], faultCount: 0 });
    expect(parseRecord('[]')).toBeUndefined();
    expect(chainHeadOf({ hash: '', text: '{' })).toBeUndefined();
  });
});
