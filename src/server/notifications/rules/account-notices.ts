import { z } from 'zod';
import { isDriftKind } from '../../../api/states.ts';
import { count, grouped } from '../../../core/lib/words.ts';
import { fileAndLine } from '../../../core/problem/problem.ts';
import { exitCodes } from '../../../run/apply/exit-code.ts';
import type { ChainHead } from '../../../run/state/audit/chain.ts';
import { headWords } from '../../../run/state/audit/signed-head.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { CauseRecord } from '../../accounts/records/causes.ts';
import type { PlanRecord } from '../../plans/records/plans.ts';
import { changePath } from '../../plans/rules/change-path.ts';
import { type ServerRun, unprovenOf } from '../../runs/records/runs.ts';
import type { Notice } from './notice.ts';

/** An account before and after a check. Undefined: it was never checked. */
export interface AccountChange {
  readonly before: AccountRecord | undefined;
  readonly after: AccountRecord;
}

/** Has the account begun to drift, or does it drift for a cause that no account had before? */
function newCauses({ before, after }: AccountChange, causes: readonly CauseRecord[]): readonly CauseRecord[] {
  if ((after.drifted ?? 0) === 0) return [];
  const drift = causes.filter(({ kind }) => isDriftKind(kind));
  if ((before?.drifted ?? 0) === 0) return drift;
  const last = before?.lastCheckAt?.getTime() ?? 0;
  return drift.filter(({ since }) => since.getTime() > last);
}

/** What a check has changed about an account. Nothing if it is as it was. */
export function accountNotices(change: AccountChange, causes: readonly CauseRecord[]): readonly Notice[] {
  const { before, after } = change;
  const { name: account } = after;
  const path = `/accounts/${encodeURIComponent(account)}`;
  const notices: Notice[] = newCauses(change, causes).map(({ id, title, place, hosts }) => ({
    kind: 'drifted',
    account,
    topic: `drifted ${id}`,
    facts: {
      title: `Hosts differ from the desired state: ${title}`,
      ...(place === null ? {} : { lines: [`in ${fileAndLine(place)}`] }),
      path,
      hosts,
    },
  }));
  const wasFailing = before?.health === 'failing';
  if (after.health === 'failing' && !wasFailing) {
    const { code = 'unforeseen', message = 'the check failed', hint } = after.failure ?? {};
    notices.push({
      kind: 'failing',
      account,
      topic: `failing ${code} ${after.service}`,
      facts: {
        title:
          code === 'not-converging'
            ? 'The runs do not reach the planned state'
            : `The check fails: ${message}`,
        ...(hint === undefined ? {} : { lines: [hint] }),
        path,
      },
    });
  }
  if (wasFailing && after.health !== 'failing') {
    notices.push({
      kind: 'recovered',
      account,
      topic: `recovered ${before.failure?.code ?? ''} ${after.service}`,
      facts: { title: 'The account can be checked again', path },
    });
  }
  if (after.health === 'in_doubt' && before?.health !== 'in_doubt') {
    notices.push({
      kind: 'in_doubt',
      account,
      topic: 'in_doubt check',
      facts: { title: 'The outcome of a change is in doubt', lines: ['No read has shown it yet.'], path },
    });
  }
  return notices;
}

/** A plan began to wait. The plans of one commit are one message. */
export function planNotice({ id, account, changes, irreversible, source, commit }: PlanRecord): Notice {
  const what = irreversible === 0 ? '' : `, ${irreversible} of them irreversible`;
  return {
    kind: 'waiting',
    account,
    topic: `waiting ${source} ${commit ?? ''}`,
    facts: {
      title: 'A plan waits for approval',
      lines: [`${count(changes, 'change')}${what}`],
      path: changePath(id),
      hosts: changes,
    },
  };
}

/** A waiting plan that expires soon. */
export function expiringNotice({ id, account, expiresAt }: PlanRecord): Notice {
  return {
    kind: 'expiring',
    account,
    topic: `expiring ${expiresAt.toISOString().slice(0, 13)}`,
    facts: {
      title: 'A plan expires soon and still waits for approval',
      lines: [`It expires at ${expiresAt.toISOString()}.`],
      path: changePath(id),
    },
  };
}

const mostLeftOut = 5;

const progressed = z
  .object({ problems: z.array(z.object({ code: z.string(), message: z.string() })) })
  .catch({ problems: [] });

/** Hosts that a run left out because others had changed them, and why. */
function leftOutLines({ state, progress }: ServerRun): readonly string[] {
  if (state !== 'done' && state !== 'stopped') return [];
  const left = progressed.parse(progress).problems.filter(({ code }) => code === 'stale-plan');
  const more = left.length - mostLeftOut;
  return [
    ...left.slice(0, mostLeftOut).map(({ message }) => `left out: ${message}`),
    ...(more > 0 ? [`${more} more were left out`] : []),
  ];
}

/** How a run ended; undefined if it has not. */
export function runNotice(run: ServerRun, head: ChainHead | null): Notice | undefined {
  const { id, account, state, steps, reason, exitCode } = run;
  const { installs_in_doubt: installs = 0, unverified = 0 } = unprovenOf(run);
  const path = run.plan === null ? `/runs/${encodeURIComponent(id)}` : changePath(run.plan);
  const lines = [
    ...leftOutLines(run),
    `${grouped(steps.done)} of ${grouped(steps.total)} steps done, ${grouped(steps.failed)} failed, ${grouped(steps.in_doubt)} in doubt`,
    ...(unverified === 0 ? [] : [`${count(unverified, 'host')} not verified: a read shows them otherwise`]),
    ...(installs === 0 ? [] : [`${count(installs, 'install')} in doubt from this run or an earlier one`]),
    ...(reason === null ? [] : [reason]),
    ...(head === null ? [] : [headWords(head)]),
  ];
  switch (state) {
    case 'done':
      return {
        kind: 'applied',
        account,
        topic: 'applied',
        facts: { title: 'A plan was applied', lines, path },
      };
    case 'in_doubt':
      return {
        kind: 'in_doubt',
        account,
        topic: 'in_doubt run',
        facts: { title: 'A run ended in doubt', lines, path },
      };
    case 'failed':
    case 'stopped': {
      const stopped =
        exitCode === exitCodes.stale
          ? 'A run changed nothing, because its plan no longer fits'
          : 'A run was stopped';
      return {
        kind: 'failed',
        account,
        topic: `failed ${state}`,
        facts: { title: state === 'stopped' ? stopped : 'A run failed', lines, path },
      };
    }
    case 'queued':
    case 'running':
    case 'stopping':
      return undefined;
  }
}
