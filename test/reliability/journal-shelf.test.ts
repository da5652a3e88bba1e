import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { planChecksum } from '../../src/core/plan/document/plan-document.ts';
import { problem } from '../../src/core/problem/problem.ts';
import { createJournal } from '../../src/run/state/files/create-journal.ts';
import { givenFolder } from '../given/given-folder.ts';
import { givenLease } from '../given/lease.ts';
import { runFilesIn } from '../given/run-files.ts';
import { savedPlan } from './crash-cases.ts';
import { createJournalShelf } from './journal-shelf.ts';
import { everything } from './small-fleets.ts';
import { account } from './world.ts';

it('the in-memory journal holds the same lines as the real one', async () => {
  const stateDir = givenFolder();
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'));
  const plan = await savedPlan(everything);
  const shelf = createJournalShelf(account, clock);
  const created = await createJournal(
    stateDir,
    givenLease(),
    {
      clock,
      account,
      planChecksum: planChecksum(plan),
      steps: plan.steps.length,
      fleetSize: plan.observed.hosts,
    },
    'abc123',
  );
  if (!created.ok) throw new Error('no journal');
  for (const journal of [created.value, shelf.open(plan, () => true)]) {
    for (const step of plan.steps) {
      await journal.begin(step);
      await journal.outcome(step.id, 'failed', {
        problem: problem('conflict', 'taken', { hostIds: ['1'] }),
        failedHostIds: ['1'],
      });
    }
    await journal.end(5, { rate: 50, latency: 0.1 });
  }
  const written = await readFile(runFilesIn(stateDir)[0] ?? '', 'utf8');
  const kept = shelf.files[0]?.text.replace('"run-1"', JSON.stringify(created.value.runId));
  expect(kept).toBe(written);
  expect(shelf.files[0]?.synced).toBe(shelf.files[0]?.text.length);
});
