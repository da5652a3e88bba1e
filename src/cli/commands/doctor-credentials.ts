import { printable } from '../../core/lib/printable.ts';
import type { Account } from '../../core/model/account.ts';
import { ok } from '../../core/problem/problem.ts';
import type { Color } from '../../output/review/color.ts';
import { type Column, paintTable } from '../../output/review/columns.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { testCredentials } from '../../service/wire/right-problem.ts';
import { printResult, textStyle } from '../listing/print-listing.ts';
import { withConnection } from '../service/read-fleet.ts';
import { type Right, type RightState, readRights } from '../service/read-rights.ts';
import type { Context } from '../shell/context.ts';

interface Checked {
  readonly account: Account;
  /** Milliseconds; undefined if the service did not send its time. */
  readonly clockSkewMs: number | undefined;
  readonly rights: readonly Right[] | undefined;
}

/** Checks whether the credentials are valid, and what they can read. Sends only GET requests. */
export async function doctorCredentials(
  context: Context,
  flags: { readonly rights?: true },
): Promise<ExitCode> {
  const checked = await withConnection(context, async ({ account, client }) => {
    const accepted = await testCredentials(client);
    if (!accepted.ok) return accepted;
    const rights = flags.rights === true ? await readRights(client) : undefined;
    return ok<Checked>({ account, clockSkewMs: client.clockSkewMs, rights });
  });
  if (!checked.ok) return context.fail(checked.problems);
  context.report(checked.problems);
  return printResult(context, toDocument(checked.value), () => paintChecked(context, checked.value));
}

function toDocument({ account, clockSkewMs, rights }: Checked): object {
  return {
    valid: true,
    company_id: account.companyId,
    service: account.service,
    clock_skew_ms: clockSkewMs ?? null,
    ...(rights === undefined ? {} : { reads: rights, writes: 'unknown' }),
  };
}

function paintChecked(context: Context, { account, clockSkewMs, rights }: Checked): string {
  const { companyId, service } = account;
  const whose = companyId === null ? '' : ` for account ${printable(companyId)}`;
  const lines = [`The credentials are valid${whose} at ${printable(service)}.`];
  if (clockSkewMs !== undefined) lines.push(clockWords(clockSkewMs));
  if (rights !== undefined) {
    lines.push('', paintTable(rights, rightColumns, textStyle(context)));
    if (rights.some(({ state }) => state === 'limited'))
      lines.push('Rate limited, so the result is unknown: try again in a minute.');
    lines.push('The write rights are unknown: the service has no call that shows them without a change.');
  }
  return `${lines.join('\n')}\n`;
}

/** The service sends its time in whole seconds, so a difference under two seconds means none. */
const noSkewMs = 2000;

function clockWords(skewMs: number): string {
  if (Math.abs(skewMs) < noSkewMs) return "The service's clock agrees with this machine's.";
  return `The service's clock is ${durationWords(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's.`;
}

const rightColumns: readonly Column<Right>[] = [
  { key: 'what', heading: 'LIST', kind: 'fixed', value: ({ what }) => what },
  {
    key: 'state',
    kind: 'fixed',
    value: ({ state }) => state,
    cell: ({ state }, color) => ({ text: state, paint: color[stateColors[state]] }),
  },
  { key: 'call', kind: 'extra', value: ({ call }) => call },
  {
    key: 'reason',
    heading: '',
    kind: 'name',
    value: ({ reason }) => reason,
    cell: ({ reason }) => ({ text: printable(reason ?? '') }),
  },
];

const stateColors: Readonly<Record<RightState, keyof Color>> = {
  readable: 'green',
  limited: 'yellow',
  forbidden: 'red',
  failed: 'red',
};
