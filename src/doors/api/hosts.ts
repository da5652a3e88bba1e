import { z } from 'zod';
import { driftRow } from './accounts.ts';
import { sourcePlace, time } from './resource.ts';

export const hostRow = z.object({
  account: z.string(),
  host_id: z.string(),
  name: z.string(),
  group: z.string().nullable(),
  /** As the service lists it, such as `online`. */
  state: z.string().nullable(),
  drifted: z.boolean(),
  seen_at: time,
});
export type HostRow = z.infer<typeof hostRow>;

export const hostDetail = hostRow.extend({
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  drift: z.array(driftRow),
  /** Which rule or entry decides each attribute. */
  explain: z.array(
    z.object({
      attribute: z.string(),
      value: z.string().nullable(),
      decided_by: z.string(),
      place: sourcePlace.optional(),
    }),
  ),
  history: z.array(
    z.object({ at: time, run: z.string(), text: z.string(), outcome: z.string(), by: z.string().nullable() }),
  ),
});
export type HostDetail = z.infer<typeof hostDetail>;

export const facets = z.object({
  accounts: z.array(z.object({ value: z.string(), hosts: z.int() })),
  groups: z.array(z.object({ value: z.string(), hosts: z.int() })),
  states: z.array(z.object({ value: z.string(), hosts: z.int() })),
  drifted: z.int(),
});
