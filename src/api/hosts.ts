import { z } from 'zod';
import { driftRow } from './accounts.ts';
import { pageQuery, shape, sourcePlace, time } from './resource.ts';

export const hostRow = shape('HostRow', {
  account: z.string(),
  host_id: z.string(),
  /** Null if the fleet has the host without a name. */
  name: z.string().nullable(),
  group: z.string().nullable(),
  /** As the service lists it, such as `online`. */
  state: z.string().nullable(),
  /** Whether it differs from the desired state in anything that nobody ignores, whoever changed it. */
  drifted: z.boolean(),
  seen_at: time,
  /** In a search: the first value that contains its text. Null if the search has no text. */
  matched: z.object({ field: z.string(), value: z.string() }).nullable().optional(),
});
export type HostMatch = NonNullable<HostListRow['matched']>;
export type HostListRow = z.infer<typeof hostRow>;

export const hostDetail = shape('HostDetail', {
  ...hostRow.shape,
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  drift: z.array(driftRow),
  /** Which rule or entry decides each attribute. */
  explain: z.array(
    z.object({
      attribute: z.string(),
      /** What the desired state requests; null if it requests nothing, or if that is not known here. */
      value: z.string().nullable(),
      decided_by: z.string(),
      place: sourcePlace.optional(),
      /** Rules that match the host and also request the attribute, without effect. */
      overruled: z.array(z.object({ decided_by: z.string(), place: sourcePlace })).optional(),
    }),
  ),
  /** Why the files could not be read now: `explain` then reports only the result of the last check. */
  explain_problem: z.string().optional(),
  /** The open plan of its account, if it changes this host. */
  plan: z.string().nullable(),
  /** What the last runs of its account did to it, latest first. */
  history: z.array(
    z.object({ at: time, run: z.string(), text: z.string(), outcome: z.string(), by: z.string().nullable() }),
  ),
  /** How many runs were searched, and whether they are all runs of its account. */
  searched: z.object({ runs: z.int(), is_complete: z.boolean() }),
});
export type HostDetail = z.infer<typeof hostDetail>;

export const facets = shape('Facets', {
  accounts: z.array(z.object({ value: z.string(), hosts: z.int() })),
  groups: z.array(z.object({ value: z.string(), hosts: z.int() })),
  states: z.array(z.object({ value: z.string(), hosts: z.int() })),
  drifted: z.int(),
  total: z.int(),
  /** False if there are more hosts than were counted. */
  is_complete: z.boolean(),
});
export type Facets = z.infer<typeof facets>;

/** Query parameters of `GET /hosts/facets`. */
export const hostsFilter = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Part of a name, id, group, custom field or service tag from two characters; below that, the beginning of a name.',
    ),
  account: z.string().max(200).optional().describe('The name of an account.'),
  where: z.string().max(1_000).optional().describe('A CEL expression over the labels of accounts.'),
  group: z.string().max(500).optional().describe('The name of a group.'),
  state: z.string().max(100).optional().describe('A state as the service lists it, such as `online`.'),
  drifted: z.enum(['true', 'false']).optional().describe('Only hosts that differ, or only the others.'),
});

/** Query parameters of `GET /hosts` and, without `account`, of `GET /accounts/{name}/hosts`, ordered by name. */
export const hostsQuery = pageQuery.extend(hostsFilter.shape);
