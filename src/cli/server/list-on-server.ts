import type { HostRow, RolloutRow, RunRow } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { problem } from '../../core/problem/problem.ts';
import { count } from '../../output/review/count.ts';
import { layOut, type TableLayout } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { RunsFlags } from '../commands/runs.ts';
import type { ListFlags } from '../listing/list-hosts.ts';
import { toNdjson } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';
import { localFlag } from './local-flag.ts';
import { openClient, resultOfAnswer, type ServerFlag } from './open-client.ts';

const usualLimit = 50;

/** The hosts of a server's accounts whose name, id or group matches a text. */
export async function listServerHosts(
  context: Context,
  flags: ServerFlag & ListFlags,
  text: string | undefined,
): Promise<ExitCode> {
  const local = localFlag(flags, ['where', 'columns', 'sort']);
  if (local !== undefined) return context.fail([local]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const only = oneAccount(context);
  if (!only.ok) return context.fail(only.problems);
  if (context.settings.format === 'csv') return context.fail([noCsv]);
  const where = context.settings.accountsWhere;
  const limit = Math.min(500, flags.limit ?? 500);
  const page = resultOfAnswer(await client.value.listHosts({ q: text, account: only.account, where, limit }));
  if (!page.ok) return context.fail(page.problems);
  const { items, next } = page.value;
  if (context.settings.format === 'json') context.printJson(items);
  else if (context.settings.format === 'ndjson') context.printExactly(toNdjson(items));
  else if (items.length === 0) context.print('No host matches.\n');
  else printHosts(context, items);
  if (next !== undefined)
    context.log(`The list ends after ${count(items.length, 'host')}. Search for more letters.`);
  return exitCodes.success;
}

/** The latest runs of a server. */
export async function listServerRuns(context: Context, flags: ServerFlag & RunsFlags): Promise<ExitCode> {
  const local = localFlag(flags, ['actor', 'commit', 'state', 'since', 'until', 'all']);
  if (local !== undefined) return context.fail([local]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const only = oneAccount(context);
  if (!only.ok) return context.fail(only.problems);
  if (context.settings.format === 'csv') return context.fail([noCsv]);
  const limit = Math.min(500, flags.limit ?? usualLimit);
  const page = resultOfAnswer(await client.value.listRuns({ account: only.account, limit }));
  if (!page.ok) return context.fail(page.problems);
  const { items, next } = page.value;
  if (context.settings.format === 'json') context.printJson(items);
  else if (context.settings.format === 'ndjson') context.printExactly(toNdjson(items));
  else if (items.length === 0) context.print('There are no runs yet.\n');
  else printRuns(context, items);
  if (next !== undefined)
    context.log(`The list ends after ${count(items.length, 'run')}. List more with --limit.`);
  return exitCodes.success;
}

/** The latest rollouts of a server. */
export async function listServerRollouts(
  context: Context,
  flags: ServerFlag & { readonly limit?: number },
): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const page = resultOfAnswer(
    await client.value.listRollouts({ limit: Math.min(500, flags.limit ?? usualLimit) }),
  );
  if (!page.ok) return context.fail(page.problems);
  const { items, next } = page.value;
  if (context.settings.format === 'json') context.printJson(items);
  else if (context.settings.format === 'ndjson') context.printExactly(toNdjson(items));
  else if (items.length === 0) context.print('There are no rollouts yet.\n');
  else printRollouts(context, items);
  if (next !== undefined)
    context.log(`The list ends after ${count(items.length, 'rollout')}. List more with --limit.`);
  return exitCodes.success;
}

const noCsv = problem('usage', '--server does not support CSV output', {
  hint: 'use --json, or --format ndjson',
});

function oneAccount({ settings: { accountNames } }: Context) {
  const [account] = accountNames;
  if (accountNames.length <= 1) return { ok: true, account } as const;
  const message = `a server lists one account or all, and ${accountNames.length} are selected`;
  const hint = 'select them with --accounts, a CEL expression';
  return { ok: false, problems: [problem('usage', message, { hint })] } as const;
}

function printHosts(context: Context, hosts: readonly HostRow[]): void {
  const rows = hosts.map(({ account, host_id, name, group, state, drifted }) => [
    account,
    host_id,
    name,
    group ?? '-',
    state ?? '-',
    drifted ? 'drifted' : '-',
  ]);
  printTable(context, ['ACCOUNT', 'ID', 'NAME', 'GROUP', 'STATE', 'DRIFT'], rows, [
    'name',
    'fixed',
    'name',
    'name',
    'fixed',
    'fixed',
  ]);
}

function printRuns(context: Context, runs: readonly RunRow[]): void {
  const rows = runs.map(({ id, account, state, steps, started_at, by, waits_for: wait }) => [
    id,
    account,
    wait === null || wait === undefined ? state : `${state} (${wait.kind})`,
    `${steps.done}/${steps.total}`,
    started_at ?? '-',
    by?.name ?? '-',
  ]);
  printTable(context, ['RUN', 'ACCOUNT', 'STATE', 'STEPS', 'STARTED', 'BY'], rows, [
    'fixed',
    'name',
    'fixed',
    'fixed',
    'extra',
    'name',
  ]);
}

function printRollouts(context: Context, rollouts: readonly RolloutRow[]): void {
  const rows = rollouts.map(({ id, waves, by, state, reason }) => {
    const sum = (part: 'accounts' | 'done' | 'failed') =>
      waves.reduce((total, wave) => total + wave[part], 0);
    return [
      id,
      `${sum('done')} of ${sum('accounts')}`,
      `${sum('failed')}`,
      by?.name ?? '-',
      reason === null ? state : `${state}: ${reason}`,
    ];
  });
  printTable(context, ['ROLLOUT', 'DONE', 'FAILED', 'BY', 'STATE'], rows, [
    'fixed',
    'fixed',
    'fixed',
    'name',
    'note',
  ]);
}

function printTable(
  context: Context,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  columns: TableLayout['columns'],
): void {
  const { bold } = context.settings.outColor;
  const lines = [
    heads.map((text) => ({ text, paint: bold })),
    ...rows.map((row) => row.map((text) => ({ text: printable(text) }))),
  ];
  context.print(`${layOut(lines, { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`);
}
