import { isEmpty } from '../../core/plan/types/plan.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { openAccount } from '../engine/open-account.ts';
import { planUndo } from '../engine/plan-undo.ts';
import { createRedaction } from '../engine/redaction.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Subject } from '../store/tables.ts';
import { engineOf } from './check-account.ts';
import type { JobParts } from './job-parts.ts';
import { propose } from './propose-plan.ts';

/** Plans the reversal of a run. Returns the id of the plan, which waits for approval like any other. */
export async function undoRunJob(
  { account: name, journal }: RunRecord,
  by: Subject,
  parts: JobParts,
): Promise<Result<string>> {
  const { settings, state, clock } = parts;
  const account = settings.accounts.find((each) => each.name === name);
  if (account === undefined)
    return failed(problem('configuration', `the account "${name}" is no longer configured`));
  if (journal === null)
    return failed(problem('usage', 'this run changed nothing, so there is nothing to undo'));
  const engine = engineOf(account, parts, createRedaction(), new AbortController().signal);
  const connection = await openAccount(account, engine);
  if (!connection.ok) return connection;
  try {
    const undo = await planUndo(connection.value, journal, { state, clock, operator: account });
    if (!undo.ok) return undo;
    if (isEmpty(undo.value.plan))
      return failed(problem('usage', 'the fleet no longer has the changes of this run'));
    const origin = { source: 'undo', commit: null, author: by.name };
    const plan = await propose(undo.value.plan, account, origin, 'waiting', parts);
    return plan === undefined
      ? failed(problem('conflict', 'a plan of this account is running', { hint: 'wait for its end' }))
      : ok(plan.id);
  } finally {
    await connection.value.close();
  }
}
