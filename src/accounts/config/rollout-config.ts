import { defined } from '../../core/lib/defined.ts';
import { parseDuration } from '../../core/lib/parse-duration.ts';
import type { Limit } from '../../core/model/policy.ts';
import type { Place } from '../../core/problem/problem.ts';
import type { Member } from '../../input/sources/source-text.ts';
import { readItems, report, valueSpan } from '../../input/values/reading.ts';
import { lineOf } from './config-reading.ts';
import { parseMaxFailed, parseShares } from './rollout-values.ts';
import { lenientSection, line, list, type Setting, text } from './setting.ts';
import { amountSchema, integer } from './setting-values.ts';

/** How a rollout goes through many accounts: `rollout:` of rampart.config.yaml. Flags of `apply` override each part. */
export interface RolloutConfig {
  /** The accounts of the first wave: their names, or a CEL expression over labels. */
  readonly canary?: RolloutCanary;
  /** Percentages of the accounts that are not canaries. They increase, and the last is 100. */
  readonly shares?: readonly number[];
  /** The label that separates failure domains: no wave has accounts with different values of it. */
  readonly by?: string;
  /** The places of `canary` and `by` in the configuration. */
  readonly places?: { readonly canary?: Place; readonly by?: Place };
  /** How many accounts may fail before the rollout stops: a number, or a share of all its accounts. */
  readonly maxFailed?: Limit;
  /** The time between two waves, in milliseconds. */
  readonly pauseMs?: number;
  /** How many accounts are applied at the same time. */
  readonly parallel?: number;
}

export type RolloutCanary =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'where'; readonly where: string };

const canary: Setting<RolloutCanary> = {
  schema: list(text).schema,
  read(reading, given, what) {
    if (given.value.kind === 'scalar') {
      const where = lineOf(reading, given, what);
      return where === undefined ? undefined : { kind: 'where', where };
    }
    const example = 'write, for example, canary: [berlin, tallinn]';
    const names = readItems(reading, given as Member, example, (item) =>
      lineOf(reading, { value: item }, 'the name of an account'),
    );
    return { kind: 'names', names };
  },
};

const waves: Setting<readonly number[]> = {
  schema: { type: 'array', items: { type: 'string' } },
  read(reading, given) {
    const member = given as Member;
    const hint = 'write, for example, waves: [10%, 50%, 100%]';
    const texts = readItems(reading, member, hint, (item) =>
      lineOf(reading, { value: item }, 'a percentage'),
    );
    const shares = parseShares(texts);
    if (shares !== undefined || member.value.kind !== 'sequence') return shares;
    const message = 'the shares of waves must be percentages that increase, and the last must be 100%';
    return report(reading, valueSpan(member), 'invalid-value', message, { hint });
  },
};

/** `rollout:`. Each invalid part is reported and left out. */
export const rolloutSettings: Setting<RolloutConfig> = lenientSection(
  {
    canary: {
      is: canary,
      meaning: 'The accounts of the first wave: a list of names, or a CEL expression over labels.',
    },
    waves: {
      is: waves,
      meaning: 'The shares of the other accounts after each wave, such as [10%, 50%, 100%].',
    },
    by: {
      is: line({ words: 'the name of a label', parse: (label) => label }),
      meaning: 'The label that separates failure domains. No wave has accounts with different values of it.',
    },
    maxFailed: {
      is: line(
        { words: 'a percentage such as 2%, or a number of accounts', parse: parseMaxFailed },
        amountSchema,
      ),
      meaning:
        'Stop if more accounts than this fail: a percentage of all accounts, or a number (default: 0). A failed canary account always stops the rollout.',
    },
    pause: {
      is: line({ words: 'a time such as 30s, 10m or 2h', parse: parseDuration }),
      meaning: 'The time between two waves, such as 10m (default: 0s).',
    },
    parallel: {
      is: integer(1, 64),
      meaning: 'How many accounts are applied at the same time (default: 4).',
    },
  },
  ({ waves: shares, pause: pauseMs, ...values }, { members, placeOf }): RolloutConfig => ({
    ...values,
    ...defined({ shares, pauseMs }),
    places: {
      ...(members.canary && { canary: placeOf(valueSpan(members.canary)) }),
      ...(members.by && { by: placeOf(valueSpan(members.by)) }),
    },
  }),
);
