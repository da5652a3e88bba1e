import { z } from 'zod';
import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { isObject } from '../../core/lib/json-object.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { inventoryKinds } from '../../core/model/facts.ts';
import { type HostId, toHostId } from '../../core/model/observed.ts';
import type { CacheContents, InventoryCache } from './inventory-cache.ts';

const formatVersion = '1.0';

const hostId = z.string().transform((text, context): HostId => {
  const id = toHostId(text);
  if (id !== undefined) return id;
  context.addIssue('not the id of a host');
  return z.NEVER;
});
const time = z.int().nonnegative();
const kind = z.enum(inventoryKinds);

const schema = z.object({
  format_version: z.string().startsWith('1.'),
  hosts: z.array(z.object({ id: hostId, name: z.string().nullable() })),
  records: z.array(
    z.object({
      kind,
      host_id: hostId,
      fetched_at: time,
      fields: z.array(z.string()).nullable(),
      record: z.string().refine(isObjectText).nullable(),
    }),
  ),
  sizes: z.array(
    z.object({
      kind,
      capacity: z.int().positive().nullable(),
      ask: z.int().positive(),
      carries_more: z.boolean(),
      learnt_at: time,
    }),
  ),
});

/** The whole inventory as text, for other machines. Reports in progress are left to the process that reads them. */
export function printCache(cache: InventoryCache): string {
  const { names, records, sizes } = cache.contents();
  const text: z.input<typeof schema> = {
    format_version: formatVersion,
    hosts: [...names].map(([id, name]) => ({ id, name })),
    records: records.map(({ kind: of, hostId: host_id, at, fields, json }) => ({
      kind: of,
      host_id,
      fetched_at: at,
      fields: fields === null ? null : [...fields],
      record: json,
    })),
    sizes: sizes.map(({ kind: of, capacity, ask, carriesMore, learnedAt }) => ({
      kind: of,
      capacity,
      ask,
      carries_more: carriesMore,
      learnt_at: learnedAt,
    })),
  };
  return JSON.stringify(text);
}

/** Undefined if any part of the text is damaged. */
export function parseCache(text: string): CacheContents | undefined {
  const parsed = schema.safeParse(parseJson(text)).data;
  if (parsed === undefined) return undefined;
  return {
    names: new Map(parsed.hosts.map(({ id, name }) => [id, name])),
    records: parsed.records.map(({ kind: of, host_id, fetched_at, fields, record }) => ({
      kind: of,
      hostId: host_id,
      at: fetched_at,
      fields,
      isAbsent: record === null,
      json: record,
    })),
    sizes: parsed.sizes.map(({ kind: of, capacity, ask, carries_more, learnt_at }) => ({
      kind: of,
      capacity,
      ask,
      carriesMore: carries_more,
      learnedAt: learnt_at,
    })),
  };
}

function isObjectText(json: string): boolean {
  try {
    return isObject(parseExactJsonText(json));
  } catch {
    return false;
  }
}
