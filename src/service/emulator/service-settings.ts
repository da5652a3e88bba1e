import { z } from 'zod';
import { failed, problem, type Result } from '../../core/problem/problem.ts';
import type { EmulatorOptions, RateLimits } from './emulator.ts';
import { actionSchema, faultRuleSchema } from './fault-schema.ts';
import type { RateLimit } from './limiter.ts';
import { type CheckedReading, readChecked } from './read-checked.ts';
import { realisticLimits } from './realistic-limits.ts';
import { switchTable } from './switch-table.ts';
import type { Switches } from './switches.ts';
import { wholeNumber } from './whole-number.ts';
import { readYamlSource } from './yaml-source.ts';

/**
 * The behavior of an emulated service, independent of its fleet: from a file, or from `key=value` on a command line.
 */
export type ServiceSettings = Pick<EmulatorOptions, 'switches' | 'faults' | 'limits'>;

const natural = wholeNumber(1, 'expected a whole number of at least 1');
const window = { windowMs: natural, calls: natural };
const rateLimit: z.ZodType<RateLimit> = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('sliding-window'), ...window }),
    z.strictObject({ kind: z.literal('fixed-window'), ...window }),
    z.strictObject({
      kind: z.literal('token-bucket'),
      perSecond: z.preprocess(
        (value) => (typeof value === 'bigint' ? Number(value) : value),
        z.number('expected a number above 0').positive('expected a number above 0'),
      ),
      burst: natural,
    }),
  ],
  'expected a limit whose kind is sliding-window, fixed-window or token-bucket',
);

const limitsByName: ReadonlyMap<unknown, RateLimits> = new Map([
  ['none', {}],
  ['realistic', realisticLimits],
]);
const limits: z.ZodType<RateLimits> = z.preprocess(
  (value) => limitsByName.get(value) ?? value,
  z.partialRecord(
    actionSchema,
    rateLimit,
    'expected none, realistic, or a limit for each action, such as { renameHost: { kind: sliding-window, windowMs: 1000, calls: 5 } }',
  ),
);

const switchNames = Object.keys(switchTable) as (keyof Switches)[];
const switchSchemas = Object.fromEntries(
  switchNames.map((name) => [name, switchTable[name].schema.exactOptional()]),
);

/** The keys in addition to the switches. The descriptions are also a table of docs/guides/emulator.md. */
export const moreSettings = {
  limits: limits
    .exactOptional()
    .describe(
      '`none`; `realistic`, which allows each list about once a minute, as live services do; or a limit for each action by its name.',
    ),
  faults: z
    .array(faultRuleSchema, 'expected a list of faults')
    .exactOptional()
    .describe('A list of rules. Each rule sets a fault and the calls that it affects.'),
} as const;

const keys = [...switchNames, ...Object.keys(moreSettings)];
const schema = z.strictObject({ ...switchSchemas, ...moreSettings }, 'expected a mapping').transform(
  ({ limits: limited, faults, ...switches }): ServiceSettings => ({
    switches: switches as Partial<Switches>,
    ...(limited === undefined ? {} : { limits: limited }),
    ...(faults === undefined ? {} : { faults }),
  }),
);

const reading: CheckedReading<ServiceSettings> = {
  schema,
  code: 'configuration',
  whole: 'this file',
  keys,
};

/** A settings file: a mapping of switches, `limits` and `faults`. */
export function readServiceSettings(text: string, file: string): Result<ServiceSettings> {
  return readChecked(readYamlSource(text, file), reading);
}

/** One `key=value` from a command line, which messages call `shown`; the value is YAML. */
export function readServiceSetting(assignment: string, shown: string): Result<ServiceSettings> {
  const [, key, value = ''] = /^([^=]*)=(.*)$/s.exec(assignment) ?? [];
  if (key === undefined || key.trim() === '') {
    return failed(
      problem('usage', `${shown} needs key=value, not "${assignment}"`, {
        hint: 'for example jsonPrefix=everywhere; docs/guides/emulator.md lists every key',
      }),
    );
  }
  return readChecked(readYamlSource(`${key.trim()}: ${value}`, shown), reading);
}

/** Later settings replace earlier ones, key by key. */
export function mergeSettings(all: readonly ServiceSettings[]): ServiceSettings {
  const switches = Object.assign({}, ...all.map((each) => each.switches)) as Partial<Switches>;
  return Object.assign({}, ...all, { switches }) as ServiceSettings;
}
