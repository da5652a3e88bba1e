import type { RampartClient } from '../../api/client/generated/rampart-client.ts';
import type { Pause, PauseRequest } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { askServer, resultOfAnswer, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';
import { noReason } from './decide.ts';

export interface PauseFlags extends ServerFlag {
  readonly all?: true;
  readonly reason?: string;
  /** How long, in milliseconds. */
  readonly for?: number;
}

/** Pauses the account of --account, the accounts of --accounts, or everything. */
export async function pauseCommand(context: Context, flags: PauseFlags): Promise<ExitCode> {
  const { reason } = flags;
  if (reason === undefined) return context.fail([noReason]);
  const scope = scopeOf(context, flags);
  if (!scope.ok) return context.fail(scope.problems);
  const until =
    flags.for === undefined ? undefined : new Date(context.io.clock.now() + flags.for).toISOString();
  const body = { ...scope.value, reason, until };
  return askServer(
    context,
    flags,
    (client) => client.createPause({ body }),
    (made) => `${printable(`Paused ${scopeWords(made)}${untilWords(made)}`)}.\n`,
  );
}

/** Ends the pauses of exactly this scope. */
export async function resume(
  context: Context,
  flags: ServerFlag & { readonly all?: true },
): Promise<ExitCode> {
  const scope = scopeOf(context, flags);
  if (!scope.ok) return context.fail(scope.problems);
  return askServer(
    context,
    flags,
    (client) => endPauses(client, scopeText(scope.value)),
    (ended) => ended.map((each) => `${printable(`Resumed ${scopeWords(each)}`)}.\n`).join(''),
  );
}

async function endPauses(client: RampartClient, scope: string): Promise<Result<readonly Pause[]>> {
  const pauses: Pause[] = [];
  let cursor: string | undefined;
  do {
    const listed = resultOfAnswer(await client.listPauses({ cursor, limit: 500 }));
    if (!listed.ok) return listed;
    pauses.push(...listed.value.items);
    cursor = listed.value.next;
  } while (cursor !== undefined);
  const found = pauses.filter((each) => each.scope === scope);
  if (found.length === 0) {
    const others = pauses.map((each) => each.scope).join(', ');
    return failed(
      problem('not-found', `nothing is paused with the scope ${scope}`, {
        hint: others === '' ? 'nothing is paused' : `the pauses are ${others}`,
      }),
    );
  }
  for (const { id } of found) {
    const ended = resultOfAnswer(await client.deletePause({ id }));
    if (!ended.ok) return ended;
  }
  return ok(found);
}

type Scope = Pick<PauseRequest, 'account' | 'where' | 'all'>;

function scopeOf({ settings }: Context, { all }: { readonly all?: true }): Result<Scope> {
  const { accountNames, accountsWhere: where } = settings;
  const [account] = accountNames;
  const given = [account, where, all].filter((each) => each !== undefined).length;
  if (given !== 1 || accountNames.length > 1) return failed(oneScope);
  if (account !== undefined) return ok({ account });
  return ok(where === undefined ? { all: true } : { where });
}

function scopeText({ account, where }: Scope): string {
  if (account !== undefined) return `account:${account}`;
  return where === undefined ? 'all' : `where:${where}`;
}

function scopeWords({ scope }: Pause): string {
  if (scope === 'all') return 'all accounts';
  return scope.startsWith('account:')
    ? `the account ${scope.slice('account:'.length)}`
    : `the accounts with ${scope.slice('where:'.length)}`;
}

function untilWords({ until }: Pause): string {
  return until === null ? '' : ` until ${until}`;
}

const oneScope = problem('usage', 'give exactly one of --account, --accounts and --all', {
  hint: 'for example: rampart server pause --account berlin --reason "the office moves"',
});

export interface OverrideFlags extends ServerFlag {
  readonly reason?: string;
}

/** Lets the run of --account start or continue while a change window is closed. */
export async function override(context: Context, flags: OverrideFlags): Promise<ExitCode> {
  const { reason = '' } = flags;
  if (reason.trim() === '') return context.fail([noReason]);
  const [account, ...others] = context.settings.accountNames;
  if (account === undefined || others.length > 0 || context.settings.accountsWhere !== undefined)
    return context.fail([oneAccount]);
  return askServer(
    context,
    flags,
    (client) => overrideRun(client, account, reason),
    ({ id }) => `Run ${printable(id)} of ${account} no longer waits for change windows.\n`,
  );
}

async function overrideRun(client: RampartClient, account: string, reason: string) {
  const runs = resultOfAnswer(await client.listRuns({ account, state: 'queued,running', limit: 1 }));
  if (!runs.ok) return runs;
  const [run] = runs.value.items;
  if (run !== undefined) return client.overrideRun({ id: run.id, body: { reason } });
  const hint = 'approve its plan first: rampart server status lists the plans that wait';
  return failed(problem('not-found', `no run of the account "${account}" waits`, { hint }));
}

const oneAccount = problem('usage', 'give one account', {
  hint: 'for example: rampart server override --account berlin --reason "incident 4711"',
});
