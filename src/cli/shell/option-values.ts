import { InvalidArgumentError } from 'commander';
import { parseMaxFailed, parseShares } from '../../accounts/config/rollout-values.ts';
import type { AccountAck } from '../../accounts/rollouts/spread-acks.ts';
import { ticketNumber } from '../../core/model/ticket-rule.ts';
import type { AckKind, Acks } from '../../core/plan/types/plan.ts';
import type { Canary } from '../../run/apply/apply-staged.ts';

/** Reads the value of a flag. `words` say what it must be, if `parse` does not find a value in it. */
export function valueReader<T>(parse: (text: string) => T | undefined, words: string): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${words}.`);
    return value;
  };
}

export const durationOption = valueReader(parseDuration, 'a time such as 30s, 5m or 24h');

export function countOption(minimum: number, maximum: number): (text: string) => number {
  const isCount = (value: number) => value >= minimum && value <= maximum;
  return valueReader(
    (text) => (/^\d{1,9}$/.test(text) && isCount(Number(text)) ? Number(text) : undefined),
    `a whole number from ${minimum} to ${maximum}`,
  );
}

/** A moment relative to the current time, in milliseconds since the epoch. */
export type Moment = (now: number) => number;

/** `24h` means that long ago; anything else is a date or a time in RFC 3339. */
export const readMoment = valueReader((text): Moment | undefined => {
  const ago = /[a-z]$/.test(text) ? parseDuration(text) : undefined;
  if (ago !== undefined) return (now) => now - ago;
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : () => time;
}, 'a time such as 2026-11-21T09:00:00Z, or a duration before now, such as 24h');

export const readCommit = valueReader(
  (text) => (/^[0-9a-f]{4,64}$/i.test(text) ? text.toLowerCase() : undefined),
  'a Git commit, or at least its first 4 digits',
);

/** For flags that may be repeated. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

export const readRate = valueReader((text) => {
  const rate = Number(text);
  return text.trim() !== '' && Number.isFinite(rate) && rate > 0 ? rate : undefined;
}, 'a number of calls per second, above 0');

/** `--ack delete=28`, once for each kind. */
export function readAck(text: string, earlier: Acks = {}): Acks {
  const match = /^(delete|rename|move|antivirus)=(\d{1,9})$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError(
      'It must have the form delete=28, with the kind delete, rename, move or antivirus.',
    );
  const kind = match[1] as AckKind;
  if (earlier[kind] !== undefined) throw new InvalidArgumentError(`It is set twice for ${kind}.`);
  return { ...earlier, [kind]: Number(match[2]) };
}

/** `--ack delete=28` or `--ack berlin:delete=3`, as often as needed. */
export function readAccountAck(text: string, earlier: readonly AccountAck[] = []): readonly AccountAck[] {
  const match = /^(?:([^:=]+):)?(delete|rename|move|antivirus)=(\d{1,9})$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError(
      'It must have the form delete=28, or berlin:delete=3 for one of several accounts, with the kind delete, rename, move or antivirus.',
    );
  const account = match[1];
  const kind = match[2] as AckKind;
  if (earlier.some((each) => each.kind === kind && each.account === account))
    throw new InvalidArgumentError(
      `It is set twice for ${account === undefined ? kind : `${account}:${kind}`}.`,
    );
  return [...earlier, { ...(account === undefined ? {} : { account }), kind, count: Number(match[3]) }];
}

/** The approvals for a single plan. */
export function singlePlanAcks(acks: readonly AccountAck[]): Acks {
  return Object.fromEntries(
    acks.flatMap(({ account, kind, count }) => (account === undefined ? [[kind, count]] : [])),
  );
}

export function readTicket(text: string): string {
  if (!ticketNumber.test(text))
    throw new InvalidArgumentError('It must be at most 64 letters, digits, points, hyphens and underscores.');
  return text;
}

/** `--waves 10%,50%,100%` */
export const readShares = valueReader(
  (text) => parseShares(text.split(',').map((each) => each.trim())),
  'percentages that increase up to 100%, such as 10%,50%,100%',
);

/** `--max-failed 2%` or `--max-failed 3`. */
export const readMaxFailed = valueReader(parseMaxFailed, 'a percentage such as 2%, or a number of accounts');

/** `--canary 10` or `--canary 5%`. */
export const readCanary = valueReader((text): Canary | undefined => {
  const match = /^([1-9]\d{0,8})(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null || (match[2] === '%' && value > 100)) return undefined;
  return match[2] === '%' ? { kind: 'share', percent: value } : { kind: 'count', count: value };
}, 'a number of hosts, or a percentage such as 5%');

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `5m`, `24h`, `2d`, or a bare number of seconds, in milliseconds; undefined for anything else. */
function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (units[match[2] ?? 's'] ?? 1000);
}
