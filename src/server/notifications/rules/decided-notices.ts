import type { ChainHead } from '../../../run/state/audit/chain.ts';
import { parseSignedHead } from '../../../run/state/audit/signed-head.ts';
import type { State } from '../../../run/state/interface/state.ts';
import type { Command } from '../../accounts/decisions/account-state.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { Store } from '../../store/open-store.ts';
import { accountNotices, planNotice, runNotice } from './account-notices.ts';
import type { Notice } from './notice.ts';

/** An account has few causes, since hosts with the same cause are one. */
const mostCauses = 20;

/** Whether people may hear of a command. */
export function isNews(command: Command): boolean {
  return (
    command.kind === 'record-check' ||
    command.kind === 'add-plan' ||
    command.kind === 'reopen-plan' ||
    ends(command)
  );
}

function ends(command: Command): boolean {
  return command.kind === 'move-run' && !/^(?:queued|running|stopping)$/.test(command.state);
}

/**
 * The notices about a decision. `own` is its transaction, in which the commands are written: a crash neither loses a
 * notice nor repeats it. `head`: the last signed head of the audit log, of which messages about runs keep a copy.
 */
export async function decidedNotices(
  before: AccountRecord,
  commands: readonly Command[],
  own: Pick<Store, 'accounts' | 'causes' | 'plans' | 'runs'>,
  head: ChainHead | null,
): Promise<readonly Notice[]> {
  const { name: account } = before;
  const after = await own.accounts.find(account, 'all');
  if (after === undefined) return [];
  const isChecked = commands.some(({ kind }) => kind === 'record-check');
  const page =
    isChecked && (after.drifted ?? 0) > 0
      ? await own.causes.list({ visible: 'all', account, limit: mostCauses })
      : undefined;
  const causes = page?.ok === true ? page.value.items : [];
  const isNew = after.plan !== null && after.plan.id !== before.plan?.id;
  const plan = isNew ? await own.plans.find(after.plan?.id ?? '', 'all') : undefined;
  const end = commands.find(ends);
  const run = end?.kind === 'move-run' ? await own.runs.find(end.run, 'all') : undefined;
  const ended = run === undefined ? undefined : runNotice(run, head);
  return [
    ...(isChecked ? accountNotices({ before, after }, causes) : []),
    ...(plan?.state === 'waiting' ? [planNotice(plan)] : []),
    ...(ended === undefined ? [] : [ended]),
  ];
}

/** A head that can't be read is missing in a message, and nothing else fails. */
export async function signedHead({ audit }: Pick<State, 'audit'>): Promise<ChainHead | null> {
  const read = await audit.readHead();
  return (read.ok && parseSignedHead(read.value ?? '')) || null;
}
