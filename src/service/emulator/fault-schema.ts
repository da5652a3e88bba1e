import { z } from 'zod';
import { actionRoutes, type EmulatedAction } from './emulated-action.ts';
import type { FaultEffect, FaultRule } from './fault.ts';
import { seedInt64 } from './seed-schema.ts';
import { wholeNumber } from './whole-number.ts';

/** Faults in a file or on a command line. The descriptions are also the tables of docs/guides/emulator.md. */
const count = wholeNumber(0, 'expected a whole number of at least 0');
const natural = wholeNumber(1, 'expected a whole number of at least 1');
const milliseconds = wholeNumber(0, 'expected milliseconds: a whole number of at least 0');
const share = z.preprocess(
  (value) => (typeof value === 'bigint' ? Number(value) : value),
  z.number('expected a share from 0 to 1').min(0).max(1),
);
const moment = z.enum(['before', 'after'], 'expected before or after');

type EffectSchema<Kind extends FaultEffect['kind']> = z.ZodObject<{
  readonly kind: z.ZodLiteral<Kind>;
}> &
  z.ZodType<Extract<FaultEffect, { readonly kind: Kind }>>;

function effect<const Kind extends FaultEffect['kind'], Members extends z.ZodRawShape>(
  kind: Kind,
  members: Members,
  meaning: string,
) {
  return z.strictObject({ kind: z.literal(kind), ...members }, 'expected a mapping').describe(meaning);
}

export const effectSchemas = {
  latency: effect(
    'latency',
    { ms: milliseconds },
    'The request takes `ms` milliseconds to arrive. It arrives even if the caller gives up.',
  ),
  'slow-reply': effect(
    'slow-reply',
    { ms: milliseconds },
    'The call is executed, and the reply takes `ms` milliseconds.',
  ),
  'rate-limit': effect(
    'rate-limit',
    { retryDelay: count.exactOptional() },
    'The service responds with 429 and does not execute the call. `retryDelay` is in seconds (1).',
  ),
  status: effect(
    'status',
    {
      status: wholeNumber(200, 'expected a status from 200'),
      when: moment.exactOptional(),
      text: z.string().exactOptional(),
      headers: z.record(z.string(), z.string()).exactOptional(),
    },
    'The response has this `status`. The service sends it instead of executing the call (`before`, the default) or `after` executing it. `text` sends this HTML body instead of JSON.',
  ),
  'refuse-connection': effect(
    'refuse-connection',
    {},
    'The connection is closed before the service sees the call.',
  ),
  drop: effect(
    'drop',
    { when: moment },
    'The connection breaks `before` the service executes the call, or `after` that but before the reply.',
  ),
  'stale-list': effect(
    'stale-list',
    { writes: count },
    'A list shows the hosts as they were this many writes ago, at most 100.',
  ),
  'short-list': effect(
    'short-list',
    { share },
    'A list contains only this share of the hosts, beginning with the first. 0 gives an empty list.',
  ),
  'missing-hosts': effect('missing-hosts', { ids: z.array(seedInt64) }, 'A list lacks these hosts.'),
  'repeated-hosts': effect('repeated-hosts', { hosts: count }, 'A list shows its first hosts twice.'),
  'truncated-body': effect('truncated-body', { share }, 'The body ends after this share of its bytes.'),
  'nothing-done': effect(
    'nothing-done',
    {},
    'A write gets a normal response but changes nothing. A report gets a token that the service does not recognize later.',
  ),
  drip: effect(
    'drip',
    { bytes: natural, everyMs: milliseconds, endless: z.boolean().exactOptional() },
    'The body arrives in pieces of `bytes` bytes with a pause of `everyMs` milliseconds before each. With `endless: true`, spaces follow the body and never end.',
  ),
} satisfies { readonly [Kind in FaultEffect['kind']]: EffectSchema<Kind> };

const anyEffect = z.discriminatedUnion(
  'kind',
  Object.values(effectSchemas) as unknown as [EffectSchema<'drop'>],
  {
    error: `expected one of the faults ${Object.keys(effectSchemas).join(', ')}`,
  },
) as unknown as z.ZodType<FaultEffect>;

const actionNames = actionRoutes.map(({ action }) => action) as [EmulatedAction, ...EmulatedAction[]];
export const actionSchema = z.enum(actionNames, 'expected an action such as renameHost');

export const faultRuleSchema = z.strictObject(
  {
    action: z
      .union(
        [z.enum(['reads', 'writes']), actionSchema, z.array(actionSchema)],
        'expected reads, writes, an action or a list of actions',
      )
      .exactOptional()
      .describe(
        '`reads`, `writes`, an action from the table of actions, or a list of these. Default: every call.',
      ),
    nth: z
      .union([natural, z.array(natural)], 'expected a whole number of at least 1, or a list')
      .exactOptional()
      .describe(
        'Only the call with this number among the calls of its action, or a list of numbers. Counts from 1.',
      ),
    every: natural
      .exactOptional()
      .describe(
        'Every call of its action whose number is a multiple of this: 3 is the third, the sixth and so on.',
      ),
    from: count.exactOptional().describe('Only calls from this position on, among all calls. Counts from 0.'),
    before: count.exactOptional().describe('Only calls before this position.'),
    probability: share.exactOptional().describe('This share of the calls, the same ones each time.'),
    seed: count.exactOptional().describe('The seed that selects the calls for `probability` (0).'),
    effect: z
      .preprocess((value) => [value].flat(), z.array(anyEffect))
      .describe('What happens: one effect or a list of them.'),
  },
  'expected a mapping',
) satisfies z.ZodType<FaultRule>;
