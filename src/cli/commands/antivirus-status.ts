import type { KnownFleet } from '../../accounts/engine/read-facts.ts';
import { count } from '../../core/lib/words.ts';
import { needsNothing } from '../../core/model/facts.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { antivirusColumns, antivirusState, threatsOf } from '../../output/review/antivirus-columns.ts';
import { type FactedHost, hostColumns } from '../../output/review/host-columns.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { findGroup } from '../listing/find-group.ts';
import { type ListFlags, listHosts } from '../listing/list-hosts.ts';
import type { Context } from '../shell/context.ts';

export interface AntivirusStatusFlags extends ListFlags {
  /** Only if it can be installed and is not. */
  readonly missing?: true;
  /** Only if threats were found. */
  readonly threats?: true;
  /** A group's name or id. */
  readonly group?: string;
}

/** The values of each host in the anti-virus list. */
export function antivirusStatus(context: Context, flags: AntivirusStatusFlags): Promise<ExitCode> {
  const { id, name, groupId, group, online } = hostColumns;
  const { state, status, product, threats } = antivirusColumns;
  const columns =
    context.settings.format === 'text'
      ? [id, name, group, state, status, product, threats]
      : [id, name, groupId, group, online, ...Object.values(antivirusColumns)];
  return listHosts(context, flags, {
    columns: columns.map(({ key }) => key),
    needs: { ...needsNothing, antivirus: true },
    filter: (fleet) => filterOf(flags, fleet),
    summary,
  });
}

function filterOf(
  { missing, threats, group }: AntivirusStatusFlags,
  { observed }: KnownFleet,
): Result<(host: ObservedHost) => boolean> {
  const groupId = group === undefined ? ok(undefined) : findGroup(group, observed);
  if (!groupId.ok) return groupId;
  return ok(
    (host) =>
      (missing !== true || antivirusState(host.antivirus) === 'missing') &&
      (threats !== true || threatsOf({ host }) > 0) &&
      (groupId.value === undefined || host.groupId === groupId.value),
  );
}

function summary(rows: readonly FactedHost[]): string {
  const states = Map.groupBy(rows, ({ host }) => antivirusState(host.antivirus));
  const parts = (['installed', 'missing', 'unsupported', 'unknown'] as const).flatMap((state) => {
    const hosts = states.get(state)?.length ?? 0;
    return hosts === 0 ? [] : [`${hosts} ${state}`];
  });
  const infected = rows.filter((row) => threatsOf(row) > 0).length;
  return `${[count(rows.length, 'host'), ...parts].join(', ')}; ${infected} with threats.`;
}
