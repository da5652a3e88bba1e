import type { Subject } from '../../../api/access/grants.ts';
import { openPlanStates } from '../../../api/states.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { ChainHead } from '../../../run/state/audit/chain.ts';
import { decidedNotices, isNews } from '../../notifications/rules/decided-notices.ts';
import { enqueueNotices } from '../../notifications/rules/route-notices.ts';
import type { NewPlan } from '../../plans/records/plan-record.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import type { RunChange, ServerRun } from '../../runs/records/runs.ts';
import { allOrNothing } from '../../store/all-or-nothing.ts';
import type { Store } from '../../store/open-store.ts';
import {
  type AccountState,
  type Command,
  isStoreCommand,
  type StoreCommand,
} from '../decisions/account-state.ts';
import type { Decision } from '../decisions/decide.ts';
import type { HeldEnd } from '../decisions/hold.ts';

/** The server as the actor. */
export const serverSubject: Subject = { kind: 'server', id: 'server', name: 'Rampart Server' };

/** What the records hold besides what decisions depend on. */
export interface Details {
  /** The whole of a plan that is added. */
  readonly plan?: () => Promise<Omit<NewPlan, 'state' | 'reason'>>;
  /** The exit code, steps and progress of a run. */
  readonly run?: RunChange;
  /** Who asks a run to stop. */
  readonly stopBy?: Subject;
  /** Writes the rest of a check. */
  readonly check?: (own: Store, command: Extract<StoreCommand, { kind: 'record-check' }>) => Promise<void>;
  /** The last signed head of the audit log, for messages about the end of a run. */
  readonly head?: ChainHead | null;
  /** Writes in the same transaction, after the decision. If it fails, nothing is written. */
  readonly and?: (own: Store) => Promise<Result<unknown>>;
}

/** What writing a decision needs. */
export interface WriteDecisionParts extends Pick<JobParts, 'clock'> {
  readonly store: Pick<Store, 'transaction'>;
  readonly settings: Pick<JobParts['settings'], 'accounts' | 'notifications'>;
}

/**
 * Writes a decision in one transaction, if the account is still as it was read: false if someone else has decided about it
 * since. Then the caller reads it again and decides again. A decision that changes no record needs no transaction.
 */
export function writeDecision(
  { store, settings, clock }: WriteDecisionParts,
  { name, version }: AccountState,
  { commands }: Decision,
  details: Details = {},
): Promise<Result<boolean>> {
  const hasNews = settings.notifications.length > 0 && commands.some(isNews);
  if (details.and === undefined && !commands.some(isStoreCommand)) return Promise.resolve(ok(true));
  return allOrNothing(store, async (own): Promise<Result<boolean>> => {
    const before = hasNews ? await own.accounts.find(name, 'all') : undefined;
    if (!(await own.accounts.claim(name, version))) return ok(false);
    for (const command of commands) await write(own, name, command, details);
    if (before !== undefined) {
      const notices = await decidedNotices(before, commands, own, details.head ?? null);
      await enqueueNotices(notices, { settings, clock }, own);
    }
    const more = (await details.and?.(own)) ?? ok(null);
    return more.ok ? ok(true) : more;
  });
}

async function write(own: Store, name: string, command: Command, details: Details): Promise<void> {
  switch (command.kind) {
    case 'set-hold':
      return own.accounts.setHold([name], command.hold);
    case 'set-health':
      return own.accounts.setHealth(name, command.health);
    case 'record-check':
      return details.check?.(own, command);
    case 'add-plan': {
      const rest = await details.plan?.();
      const { id, state, reason } = command.plan;
      if (rest !== undefined)
        await own.plans.propose({
          ...rest,
          id,
          state: state === 'approved' ? 'approved' : 'waiting',
          ...(reason === null ? {} : { reason }),
        });
      return;
    }
    case 'close-plan':
      return void (await own.plans.move(command.plan, openPlanStates, command.state, command.reason));
    case 'move-plan':
      return void (await own.plans.move(command.plan, openPlanStates, command.state));
    case 'keep-plan':
      return own.plans.keep(command.plan, command.later);
    case 'reopen-plan':
      return own.plans.reopen(command.plan.id, command.later);
    case 'shorten-plan':
      return own.plans.shorten(command.plan, command.expiresAt);
    case 'add-approval':
      return void (await own.plans.approve(command.plan, command.approval));
    case 'end-rejections':
      return own.plans.endRejections([name]);
    case 'add-run': {
      const { plan, by, reason } = command;
      await own.runs.queue({ account: name, plan, by: by ?? serverSubject, reason, steps: command.steps });
      return;
    }
    case 'move-run':
      return void (await (details.stopBy === undefined
        ? own.runs.change(command.run, { ...details.run, state: command.state })
        : own.runs.requestStop(command.run, details.stopBy)));
    case 'queue-run':
    case 'queue-check':
    case 'stop-run':
      return;
  }
}

/** Writes the end of a run whose account no longer exists, or belongs to another tenant. */
export function endUndecided(
  store: Pick<Store, 'transaction'>,
  { id, plan }: Pick<ServerRun, 'id' | 'plan'>,
  state: HeldEnd['state'],
  details: Details,
): Promise<unknown> {
  return store.transaction(async (own) => {
    await own.runs.change(id, { ...details.run, state });
    if (plan !== null) await own.plans.move(plan, ['approved', 'running'], 'stale');
    await details.and?.(own);
  });
}

/** Adds the jobs that decisions about accounts request, once the decisions are written. */
export async function queueDecided(
  decided: ReadonlyMap<string, Decision>,
  { queue }: Pick<JobParts, 'queue'>,
): Promise<void> {
  for (const [kind, name] of [
    ['queue-run', 'run'],
    ['queue-check', 'check'],
  ] as const) {
    const accounts = [...decided].filter(([, { commands }]) => commands.some((each) => each.kind === kind));
    if (accounts.length > 0)
      await queue.send(
        name,
        accounts.map(([account]) => account),
      );
  }
}
