import { compareNaturally } from '../../core/lib/natural-order.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { describeHolder, type LockHolder } from '../../run/state/lease/lease-holder.ts';
import {
  mayContinue,
  type Rollout,
  type RolloutAccount,
  type RolloutAccountStatus,
} from '../../run/state/rollout/rollout.ts';

/** The status of a rollout as JSON: `rampart rollout show --json`, and the last event of its run. */
export function toRolloutDocument(rollout: Rollout, exitCode: number, holder: LockHolder | null = null) {
  const { head, maxFailed, accounts } = rollout;
  return {
    format_version: '1.0',
    ...toRolloutSummary(rollout, exitCode),
    index_checksum: head.index_checksum,
    max_failed: maxFailed.kind === 'count' ? maxFailed.count : `${maxFailed.percent}%`,
    run_by:
      holder === null
        ? null
        : { machine: holder.machine, process: holder.pid, user: holder.user, since: holder.since },
    waves: head.waves.map(({ name, is_canary, accounts: names }) => ({
      name,
      is_canary,
      accounts: names.flatMap((each) => {
        const account = accounts.get(each);
        return account === undefined ? [] : [accountDocument(account)];
      }),
    })),
    left_out: head.left_out,
  };
}

/** A rollout in a list: without its waves and accounts. */
export function toRolloutSummary(rollout: Rollout, exitCode: number) {
  const { id, head, state, stop, lastAt } = rollout;
  return {
    rollout_id: id,
    state,
    exit_code: exitCode,
    stop: stop === null ? null : { reason: stop.kind, account: stop.account ?? null, why: stop.why },
    started_at: head.at,
    last_at: lastAt,
    started_by: head.origin.actor,
    totals: totalsOf(rollout),
  };
}

function accountDocument({ name, status, exitCode, runId, why }: RolloutAccount) {
  return { account: name, status, exit_code: exitCode, run_id: runId, why };
}

/** How many accounts have each status. */
export function totalsOf({ accounts }: Rollout): Readonly<Record<RolloutAccountStatus, number>> {
  const totals = { pending: 0, running: 0, done: 0, failed: 0, skipped: 0, undone: 0, 'undo-failed': 0 };
  for (const { status } of accounts.values()) totals[status] += 1;
  return totals;
}

/** Rollouts up to this size list every account; larger ones only those that are not done. */
const smallRollout = 40;
/** The most accounts that are listed for one status. */
const mostListed = 100;

/** The text of `rampart rollout show`, and the end of a run. */
export function paintRollout(rollout: Rollout, holder: LockHolder | null = null): string {
  const { id, head, accounts } = rollout;
  const lines = [`Rollout ${id}: ${rolloutStateWords(rollout, holder)}`, ''];
  const names = head.waves.map(({ name }) => `Wave ${name}`);
  const width = Math.max(0, ...names.map((each) => each.length));
  for (const [at, wave] of head.waves.entries())
    lines.push(
      `  ${(names[at] ?? '').padEnd(width)}  ${countWords(wave.accounts.map((each) => accounts.get(each)))}`,
    );
  const leftOut = [...accounts.values()].filter(({ wave }) => wave === null);
  if (leftOut.length > 0) lines.push(`  ${'No wave'.padEnd(width)}  ${countWords(leftOut)}`);
  const all = [...accounts.values()];
  const listed = all.length <= smallRollout ? all : all.filter(({ status }) => status !== 'done');
  const sorted = listed.toSorted((a, b) => compareNaturally(a.name, b.name));
  const shown = [...Map.groupBy(sorted, ({ status }) => status).values()].flatMap((group) =>
    group.slice(0, mostListed),
  );
  if (shown.length > 0) lines.push('');
  const nameWidth = Math.max(0, ...shown.map(({ name }) => name.length));
  for (const account of shown) lines.push(`  ${accountLine(account, nameWidth)}`);
  if (shown.length < all.length) lines.push(`  … and ${count(all.length - shown.length, 'more account')}`);
  const hint = nextStep(rollout, holder);
  if (hint !== '') lines.push('', ...hint.split('\n'));
  return `${lines.map(printable).join('\n')}\n`;
}

/** `berlin  failed  exit 5, run 2026…: 1 of 3 steps failed` */
export function accountLine(
  { name, status, exitCode, runId, why }: Omit<RolloutAccount, 'wave' | 'account' | 'planChecksum'>,
  width: number,
): string {
  const details = [
    ...(exitCode === null || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(runId === null ? [] : [`run ${runId}`]),
  ].join(', ');
  const reason = why === null ? '' : `${details === '' ? '' : ': '}${why}`;
  return `${name.padEnd(width)}  ${statusWords[status]}${details === '' && reason === '' ? '' : `  ${details}${reason}`}`;
}

const statusWords: Readonly<Record<RolloutAccountStatus, string>> = {
  pending: 'not started',
  running: 'running',
  done: 'done',
  failed: 'failed',
  skipped: 'left out',
  undone: 'undone',
  'undo-failed': 'not undone',
};

/** `running, by the process …`, `stopped: …`, `interrupted (no process runs it)`, and so on. */
export function rolloutStateWords(rollout: Rollout, holder: LockHolder | null): string {
  const { state, stop } = rollout;
  if (state === 'running' && holder === null) return 'interrupted (no process runs it)';
  if (state === 'running' && holder !== null) return `running, by the process ${describeHolder(holder)}`;
  if (state === 'stopped' && stop !== null) return `stopped: ${stop.why}`;
  const { failed } = totalsOf(rollout);
  if (state === 'completed' && failed > 0) return `completed, but ${count(failed, 'account')} failed`;
  return state === 'draft' ? 'not started: its plans were not all saved' : state;
}

function countWords(accounts: readonly (RolloutAccount | undefined)[]): string {
  const groups = Map.groupBy(accounts, (each) => each?.status ?? 'pending');
  const parts = (Object.keys(statusWords) as RolloutAccountStatus[]).flatMap((status) => {
    const found = groups.get(status)?.length ?? 0;
    return found === 0 ? [] : [`${found} ${statusWords[status]}`];
  });
  return `${count(accounts.length, 'account')}: ${parts.join(', ')}`;
}

function nextStep(rollout: Rollout, holder: LockHolder | null): string {
  const { id, state } = rollout;
  if (holder !== null) return '';
  if (mayContinue(rollout))
    return `Continue with: rampart rollout continue ${id}\nUndo with:     rampart rollout undo ${id}`;
  return state === 'undoing' ? `Continue with: rampart rollout undo ${id}` : '';
}
