import { quoted } from '../../core/lib/quoted.ts';
import type { Limit } from '../../core/model/limits.ts';
import type { Place } from '../../core/problem/place.ts';
import type { Member, YamlNode } from '../../input/sources/yaml-tree.ts';
import { readItems } from '../../input/values/read-items.ts';
import { readMembers, valueSpan } from '../../input/values/read-members.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import { describeKind } from '../../input/values/scalar-kind.ts';
import { parseDuration } from './duration.ts';
import { parseMaxFailed, parseShares } from './rollout-values.ts';

/** How a roll-out goes through many accounts: `rollout:` of rampart.config.yaml. Flags of `apply` override each part. */
export interface RolloutConfig {
  /** The accounts of the first wave: their names, or a CEL expression over labels. */
  readonly canary?: RolloutCanary;
  /** Percentages of the accounts that are not canaries. They increase, and the last is 100. */
  readonly shares?: readonly number[];
  /** The label that separates failure domains: no wave has accounts with different values of it. */
  readonly by?: string;
  /** The places of `canary` and `by` in the configuration. */
  readonly places?: { readonly canary?: Place; readonly by?: Place };
  /** How many accounts may fail before the roll-out stops: a number, or a share of all its accounts. */
  readonly maxFailed?: Limit;
  /** The time between two waves, in milliseconds. */
  readonly pauseMs?: number;
  /** How many accounts are applied at the same time. */
  readonly parallel?: number;
}

export type RolloutCanary =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'where'; readonly where: string };

/** The keys of `rollout:`, with the descriptions that editors show. */
export const rolloutKeys = {
  canary: 'The accounts of the first wave: a list of names, or a CEL expression over labels.',
  waves: 'The shares of the other accounts after each wave, such as [10%, 50%, 100%].',
  by: 'The label that separates failure domains. No wave has accounts with different values of it.',
  maxFailed:
    'Stop if more accounts than this fail: a percentage of all accounts, or a number (default: 0). A failed canary account always stops the roll-out.',
  pause: 'The time between two waves, such as 10m (default: 0s).',
  parallel: 'How many accounts are applied at the same time (default: 4).',
} as const;

const mostParallelAccounts = 64;

/** Undefined if the value is not a mapping. Each invalid part is reported and left out. */
export function readRollout(reading: Reading, node: YamlNode): RolloutConfig | undefined {
  const members = readMembers(reading, node, rolloutKeys, {
    what: '"rollout"',
    example: 'write, for example, rollout: { canary: [berlin], waves: [10%, 50%, 100%], maxFailed: 2% }',
  });
  if (members === undefined) return undefined;
  const canary = members.canary && readCanaryAccounts(reading, members.canary);
  const shares = members.waves && readWaves(reading, members.waves);
  const by = members.by && readScalar(reading, members.by, 'the name of a label', (text) => text);
  const maxFailed =
    members.maxFailed &&
    readScalar(
      reading,
      members.maxFailed,
      'a percentage such as 2%, or a number of accounts',
      parseMaxFailed,
    );
  const pauseMs =
    members.pause && readScalar(reading, members.pause, 'a time such as 30s, 10m or 2h', parseDuration);
  const parallel =
    members.parallel &&
    readScalar(reading, members.parallel, `a number from 1 to ${mostParallelAccounts}`, parseParallel);
  return {
    ...(canary === undefined ? {} : { canary }),
    ...(shares === undefined ? {} : { shares }),
    ...(by === undefined ? {} : { by }),
    places: {
      ...(members.canary && { canary: reading.source.placeOf(valueSpan(members.canary)) }),
      ...(members.by && { by: reading.source.placeOf(valueSpan(members.by)) }),
    },
    ...(maxFailed === undefined ? {} : { maxFailed }),
    ...(pauseMs === undefined ? {} : { pauseMs }),
    ...(parallel === undefined ? {} : { parallel }),
  };
}

function readCanaryAccounts(reading: Reading, member: Member): RolloutCanary | undefined {
  if (member.value.kind === 'scalar') {
    const where = readScalar(reading, member, 'a list of accounts or a CEL expression', (text) => text);
    return where === undefined ? undefined : { kind: 'where', where };
  }
  const names = readItems(reading, member, 'write, for example, canary: [berlin, tallinn]', (item) =>
    textOf(reading, item, 'the name of an account'),
  );
  return { kind: 'names', names };
}

function readWaves(reading: Reading, member: Member): readonly number[] | undefined {
  const example = 'write, for example, waves: [10%, 50%, 100%]';
  const texts = readItems(reading, member, example, (item) => textOf(reading, item, 'a percentage'));
  const shares = parseShares(texts);
  if (shares !== undefined || member.value.kind !== 'sequence') return shares;
  return report(reading, valueSpan(member), 'invalid-value', sharesRule, { hint: example });
}

function readScalar<T>(
  reading: Reading,
  member: Member,
  what: string,
  parse: (text: string) => T | undefined,
): T | undefined {
  const text = textOf(reading, valueSpan(member), `"${member.key.text}"`, what);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  const message = `"${member.key.text}" must be ${what}, not ${quoted(text)}`;
  return report(reading, valueSpan(member), 'invalid-value', message);
}

function textOf(
  reading: Reading,
  node: YamlNode,
  subject: string,
  what = 'one line of text',
): string | undefined {
  if (node.kind === 'scalar' && node.text !== '' && !/\p{Cc}/u.test(node.text)) return node.text;
  return report(reading, node, 'wrong-type', `${subject} must be ${what}, not ${describeKind(node)}`);
}

const sharesRule = 'the shares of waves must be percentages that increase, and the last must be 100%';

function parseParallel(text: string): number | undefined {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= mostParallelAccounts ? value : undefined;
}
