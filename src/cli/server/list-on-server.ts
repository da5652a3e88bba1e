import type { RampartClient } from '../../api/client/generated/rampart-client.ts';
import type { HostRow, RolloutRow, RunRow } from '../../api/client/generated/shapes.ts';
import type { ServerAnswer } from '../../api/client/send.ts';
import { count } from '../../core/lib/words.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { RunsFlags } from '../commands/runs.ts';
import type { ListFlags } from '../listing/list-hosts.ts';
import { printListing } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';
import { localFlag, openClient, resultOfAnswer, type ServerFlag } from './open-client.ts';

const usualLimit = 50;
const mostItems = 500;

interface Page<Row> {
  readonly items: readonly Row[];
  /** Where the next page begins. */
  readonly next?: string | undefined;
}

interface ServerList<Row> {
  readonly columns: readonly Column<Row>[];
  readonly ask: (client: RampartClient, account: string | undefined) => Promise<ServerAnswer<Page<Row>>>;
  readonly noun: string;
  /** Printed if there are none. */
  readonly empty: string;
  /** How to get those that are left out. */
  readonly more: string;
}

/** The hosts of a server's accounts whose name, id or group matches a text. */
export async function listServerHosts(
  context: Context,
  flags: ServerFlag & ListFlags,
  text: string | undefined,
): Promise<ExitCode> {
  const local = localFlag(flags, ['where', 'columns', 'sort']);
  if (local !== undefined) return context.fail([local]);
  const where = context.settings.accountsWhere;
  const limit = Math.min(mostItems, flags.limit ?? mostItems);
  return listOnServer(context, flags, {
    columns: hostColumnsOnServer,
    ask: (client, account) => client.listHosts({ q: text, account, where, limit }),
    noun: 'host',
    empty: 'No host matches.',
    more: 'Search for more letters.',
  });
}

/** The latest runs of a server. */
export async function listServerRuns(context: Context, flags: ServerFlag & RunsFlags): Promise<ExitCode> {
  const local = localFlag(flags, ['actor', 'commit', 'state', 'since', 'until', 'all']);
  if (local !== undefined) return context.fail([local]);
  const limit = Math.min(mostItems, flags.limit ?? usualLimit);
  return listOnServer(context, flags, {
    columns: runColumnsOnServer,
    ask: (client, account) => client.listRuns({ account, limit }),
    noun: 'run',
    empty: 'There are no runs yet.',
    more: 'List more with --limit.',
  });
}

/** The latest rollouts of a server. */
export function listServerRollouts(
  context: Context,
  flags: ServerFlag & { readonly limit?: number },
): Promise<ExitCode> {
  const limit = Math.min(mostItems, flags.limit ?? usualLimit);
  return listOnServer(context, flags, {
    columns: rolloutColumnsOnServer,
    ask: (client) => client.listRollouts({ limit }),
    noun: 'rollout',
    empty: 'There are no rollouts yet.',
    more: 'List more with --limit.',
  });
}

async function listOnServer<Row extends object>(
  context: Context,
  flags: ServerFlag,
  { columns, ask, noun, empty, more }: ServerList<Row>,
): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const { settings } = context;
  const [account] = settings.accountNames;
  if (settings.accountNames.length > 1) return context.fail([severalAccounts(settings.accountNames.length)]);
  if (settings.format === 'csv') return context.fail([noCsv]);
  const page = resultOfAnswer(await ask(client.value, account));
  if (!page.ok) return context.fail(page.problems);
  const { items, next } = page.value;
  printListing(context, items, columns, { document: (item) => item, empty: `${empty}\n` });
  if (next !== undefined) context.log(`The list ends after ${count(items.length, noun)}. ${more}`);
  return exitCodes.success;
}

const noCsv = problem('usage', '--server does not support CSV output', {
  hint: 'use --json, or --format ndjson',
});

function severalAccounts(selected: number): Problem {
  return problem('usage', `a server lists one account or all, and ${selected} are selected`, {
    hint: 'select them with --accounts, a CEL expression',
  });
}

const hostColumnsOnServer: readonly Column<HostRow>[] = [
  { key: 'account', kind: 'name', value: ({ account }) => account },
  { key: 'id', kind: 'fixed', value: ({ host_id: id }) => id },
  { key: 'name', kind: 'name', value: ({ name }) => name },
  { key: 'group', kind: 'name', value: ({ group }) => group },
  { key: 'state', kind: 'fixed', value: ({ state }) => state },
  { key: 'drift', kind: 'fixed', value: ({ drifted }) => (drifted ? 'drifted' : null) },
];

const runColumnsOnServer: readonly Column<RunRow>[] = [
  { key: 'run', kind: 'fixed', value: ({ id }) => id },
  { key: 'account', kind: 'name', value: ({ account }) => account },
  {
    key: 'state',
    kind: 'fixed',
    value: ({ state, waits_for: wait }) => (wait ? `${state} (${wait.kind})` : state),
  },
  { key: 'steps', kind: 'fixed', value: ({ steps: { done, total } }) => `${done}/${total}` },
  { key: 'started', kind: 'extra', value: ({ started_at: start }) => start },
  { key: 'by', kind: 'name', value: ({ by }) => by?.name ?? null },
];

const rolloutColumnsOnServer: readonly Column<RolloutRow>[] = [
  { key: 'rollout', kind: 'fixed', value: ({ id }) => id },
  { key: 'done', kind: 'fixed', value: (row) => `${sumOf(row, 'done')} of ${sumOf(row, 'accounts')}` },
  { key: 'failed', kind: 'fixed', value: (row) => sumOf(row, 'failed') },
  { key: 'by', kind: 'name', value: ({ by }) => by?.name ?? null },
  {
    key: 'state',
    kind: 'note',
    value: ({ state, reason }) => (reason === null ? state : `${state}: ${reason}`),
  },
];

function sumOf({ waves }: RolloutRow, part: 'accounts' | 'done' | 'failed'): number {
  return waves.reduce((total, wave) => total + wave[part], 0);
}
