import { expect, test } from 'vitest';
import { note, ok, problem } from '../../../../src/core/problem/problem.ts';
import type { ServerWork } from '../../../../src/server/http/server-work.ts';
import { richPlan } from '../../../given/report-plans.ts';
import { givenApi } from '../../http/given-api.ts';
import { accountOf } from '../../jobs/given.ts';

const limit = problem('limit-exceeded', 'the plan deletes 12 hosts', {
  hint: 'approve it with --ack delete=12',
});
const notes = Array.from({ length: 149 }, (_, at) =>
  note('absent-but-claimed', `note ${at}`, { hint: 'read it' }),
);
const api = givenApi({
  work: {
    draftProposal: async () =>
      ok({
        digest: '0'.repeat(64),
        patches: [{ source: 'files', commit: 'c1', edited: [], patch: '' }],
        accounts: [{ config: accountOf('berlin'), source: 'files' }],
        refused: [],
      }),
    planProposal: async () =>
      ok({
        plan: { ...richPlan(), problems: [limit, ...notes] },
        comparison: { introduced: [], pending: [], drift: [] },
      }),
  } as unknown as ServerWork,
});

test('the plan of a proposal has no hint for the command line, and counts the problems that it leaves out', async () => {
  const hosts = [{ account: 'berlin', host_id: '100' }];
  const { status, body } = await api.post('/proposals', { hosts, change: { kind: 'move', group: 'Web' } });
  expect(status).toBe(200);
  const { problems, more_problems: more } = body.plans[0].plan;
  expect([problems.length, more]).toEqual([100, 50]);
  expect(problems[0]).toMatchObject({ code: 'limit-exceeded', message: 'the plan deletes 12 hosts' });
  expect(problems[0]).not.toHaveProperty('hint');
  expect(problems[1]).toMatchObject({ code: 'absent-but-claimed', hint: 'read it' });
});
