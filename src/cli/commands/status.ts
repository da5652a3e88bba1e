import type { AccountRow, Overview } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { ok } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { askServer, resultOfAnswer, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';

/** Whether everything is as it should be, according to a server. */
export function status(context: Context, flags: ServerFlag): Promise<ExitCode> {
  return askServer(
    context,
    flags,
    async (client) => {
      const overview = resultOfAnswer(await client.getOverview());
      if (!overview.ok) return overview;
      const { health } = overview.value;
      const isFailing = (health['failing'] ?? 0) + (health['in_doubt'] ?? 0) > 0;
      const failing = isFailing
        ? resultOfAnswer(await client.listAccounts({ health: 'failing,in_doubt', limit: mostFailing }))
        : ok({ items: [], next: undefined });
      if (!failing.ok) return failing;
      const { items, next } = failing.value;
      if (next !== undefined) context.log(`Only the first ${items.length} accounts that fail are listed.`);
      return ok({ ...overview.value, failing: items });
    },
    (overview) => `${statusLines(overview, overview.failing).join('\n')}\n`,
  );
}

/** Accounts that fail, or whose last run ended in doubt. */
const mostFailing = 100;

/** Worst first. */
const healths = [
  ['failing', 'failing'],
  ['in_doubt', 'in doubt'],
  ['drifted', 'drifted'],
  ['waiting', 'with a waiting plan'],
  ['running', 'running'],
  ['in_progress', 'in progress'],
  ['paused', 'paused'],
  ['ignored', 'with ignored differences'],
  ['converged', 'converged'],
] as const;

function statusLines(overview: Overview, failing: readonly AccountRow[]): readonly string[] {
  const {
    accounts,
    unchecked,
    paused,
    hosts,
    health,
    causes,
    waiting,
    running,
    oldest_check: oldest,
  } = overview;
  const states = [
    ...healths.flatMap(([name, words]) => (health[name] ? [`${health[name]} ${words}`] : [])),
    ...(unchecked === 0 ? [] : [`${unchecked} not checked yet`]),
  ];
  return [
    `${count(accounts, 'account')} with ${count(hosts, 'host')}: ${states.join(', ') || 'none'}.`,
    // Health mentions a waiting plan or a difference before a pause.
    ...(paused > (health['paused'] ?? 0) ? [`Changes are paused in ${count(paused, 'account')}.`] : []),
    ...(oldest === null ? [] : [`The oldest check is that of ${oldest.account}, at ${oldest.at}.`]),
    ...section('Failing accounts', failing.map(failingLine)),
    ...section(
      'Causes',
      causes.map(({ title, hosts: affected, accounts: of }) => {
        // A failure concerns an account and none of its hosts.
        const where = count(of, 'account');
        return `${title}: ${affected === 0 ? where : `${count(affected, 'host')} in ${where}`}`;
      }),
    ),
    ...section(
      'Plans that wait for approval',
      waiting.map(
        ({ id, account, changes, irreversible, is_paused: isPaused }) =>
          `${id}  ${account}: ${count(changes, 'change')}${irreversible === 0 ? '' : `, ${grouped(irreversible)} irreversible`}${isPaused ? ', paused' : ''}`,
      ),
    ),
    ...section(
      'Runs',
      running.map(
        ({ id, account, state, steps, waits_for: wait }) =>
          `${id}  ${account}: ${state}, ${grouped(steps.done)} of ${grouped(steps.total)} steps${waitWords(wait)}`,
      ),
    ),
  ];
}

/** Why a run can't begin yet, and until when. */
function waitWords(wait: Overview['running'][number]['waits_for']): string {
  if (wait === null || wait === undefined) return '';
  const { message, until } = wait;
  return `; ${printable(message)}${until === undefined ? '' : ` (${printable(until)})`}`;
}

function failingLine({ name, health, since, failure }: AccountRow): string {
  const state = health === 'in_doubt' ? ' in doubt' : '';
  const began = failure?.since ?? since;
  const why = failure === null ? '' : `: ${failure.message}`;
  return printable(`${name}${state}${began === null ? '' : ` since ${began}`}${why}`);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((each) => `  ${each}`)];
}
