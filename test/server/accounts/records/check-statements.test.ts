import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/core/lib/hash.ts';
import { recordCheck } from '../../../../src/server/accounts/records/record-check.ts';
import { scriptedDatabase } from '../../../given/scripted-database.ts';
import { givenCause, givenCheck, givenDrift, givenHosts } from '../../../given/store-records.ts';

const drift = [givenDrift('1')];
const known = givenCheck('a', givenHosts(2), { drift });
const others = givenCheck('a', givenHosts(2), { drift: [givenDrift('2')] });
const { fleet: _fleet, ...withoutFleet } = known;
const failing = { ...withoutFleet, failure: { code: 'x', message: 'x' } };

/** The account as the check `known` left it. */
const before = {
  ...known,
  version: 1,
  now: new Date(),
  fleet_digest: known.fleet?.digest,
  drift_digest: sha256Hex(JSON.stringify([drift, [givenCause]])),
};

const kinds: Readonly<Record<string, string>> = {
  lock: 'for update',
  hosts: 'rampart_server.host as old',
  causes: 'rampart_server.cause as old',
  links: 'rampart_server.account_cause as old',
  differences: 'rampart_server.drift as old',
  marks: 'drifted = not drifted',
  account: 'update rampart_server.account',
  event: 'rampart_server.event',
};
const kindOf = (text: string) => Object.keys(kinds).find((kind) => text.includes(kinds[kind] ?? ''));

/** Records a check whose statement with this number fails. Each statement that counts rows wrote one. */
function record(check: typeof known, failsAt = 0) {
  const { db, statements } = scriptedDatabase(({ sql }) => {
    if (statements.length === failsAt) throw new Error('it fails');
    return [kindOf(sql) === 'lock' ? before : { written: '1' }];
  });
  const written = recordCheck(db, check, async () => false);
  return { written, kindsOf: () => statements.map(({ sql }) => kindOf(sql)) };
}

describe('a check that differs from the last one', () => {
  it.each([
    ['in nothing but its time', known, 'account'],
    ['only in its commit', { ...known, commit: 'c2' }, 'account event'],
    ['in its hosts', givenCheck('a', givenHosts(3), { drift }), 'hosts marks account event'],
    ['in its differences', others, 'causes links differences marks account event'],
    ['because it failed', failing, 'causes links account event'],
  ])('%s writes only that, and fails if any of its statements does', async (_what, check, expected) => {
    const { written, kindsOf } = record(check);
    await written;
    expect(kindsOf().join(' ')).toBe(`lock ${expected}`);
    for (let failsAt = 1; failsAt <= kindsOf().length; failsAt += 1)
      await expect(record(check, failsAt).written, `statement ${failsAt}`).rejects.toThrow('it fails');
  });
});
