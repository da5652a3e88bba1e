import { z } from 'zod';
import { isInt64 } from '../lib/int64.ts';
import { isObject } from '../lib/json-object.ts';
import { type Facts, type InventoryRecord, inventoryKinds } from './facts.ts';
import type { AntivirusDetails, AntivirusFact, HostId, ObservedHost } from './observed.ts';

export const idSchema = z.string().refine(isInt64, 'expected a 64-bit integer in quotation marks');

const text = z.string().nullable();
const flag = z.boolean().nullable();
const number = z.number().nullable();
const record = z.custom<InventoryRecord>(isObject, 'expected a mapping');
const textByName = z.custom<Readonly<Record<string, string>>>(
  (value) => isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
  'expected a mapping of names to text',
);

const detailsSchema = z.looseObject({
  product: text,
  status: text,
  real_time_protection: flag,
  definitions_up_to_date: flag,
  definition_version: text,
  last_full_scan: text,
  threats: number,
  several: flag,
  build: number,
  mac: flag,
});

/** One host of a snapshot. Members that format 1.0 does not have are optional. */
export const snapshotHostSchema = z.looseObject({
  id: idSchema,
  name: text,
  group_id: idSchema,
  online: z.boolean(),
  host_name: z.string().optional(),
  state_changed_at: z.string().optional(),
  antivirus: z
    .looseObject({ installed: z.boolean(), supported: z.boolean(), details: detailsSchema.optional() })
    .optional(),
  custom_fields: textByName.optional(),
  inventory: z.looseObject({ hardware: record.optional(), system: record.optional() }).optional(),
});

export type HostDocument = z.infer<typeof snapshotHostSchema>;

export function toHostDocument(host: ObservedHost, facts: Facts): object {
  const { id, name, groupId, online, hostName, stateChangedAt, antivirus } = host;
  const inventory = inventoryKinds.flatMap((kind) => {
    const known = facts.inventoryOf(kind, id);
    return known === undefined ? [] : [[kind, known] as const];
  });
  return {
    id,
    name,
    group_id: groupId,
    online,
    host_name: hostName,
    state_changed_at: stateChangedAt,
    antivirus: antivirus === undefined ? undefined : toAntivirus(antivirus),
    custom_fields: facts.customFieldsOf(id),
    inventory: inventory.length === 0 ? undefined : Object.fromEntries(inventory),
  };
}

export function fromHostDocument(host: HostDocument): ObservedHost {
  const { antivirus, host_name: hostName, state_changed_at: stateChangedAt } = host;
  return {
    id: host.id,
    name: host.name,
    groupId: host.group_id,
    online: host.online,
    ...(hostName === undefined ? {} : { hostName }),
    ...(stateChangedAt === undefined ? {} : { stateChangedAt }),
    ...(antivirus === undefined ? {} : { antivirus: fromAntivirus(antivirus) }),
  } as ObservedHost;
}

/** The facts in the hosts of a snapshot that are not in the lists of the fleet. */
export function factsOf(hosts: readonly HostDocument[]): Omit<Facts, 'lists'> {
  const byId = new Map(hosts.map((host) => [host.id as HostId, host]));
  return {
    customFieldsOf: (id) => byId.get(id)?.custom_fields,
    inventoryOf: (kind, id) => byId.get(id)?.inventory?.[kind],
  };
}

function toAntivirus({ installed, supported, details }: AntivirusFact): object {
  return {
    installed,
    supported,
    details:
      details === undefined
        ? undefined
        : {
            product: details.product,
            status: details.status,
            real_time_protection: details.realTimeProtection,
            definitions_up_to_date: details.definitionsUpToDate,
            definition_version: details.definitionVersion,
            last_full_scan: details.lastFullScan,
            threats: details.threats,
            several: details.several,
            build: details.build,
            mac: details.mac,
          },
  };
}

function fromAntivirus(document: NonNullable<HostDocument['antivirus']>): AntivirusFact {
  const { installed, supported, details } = document;
  return details === undefined
    ? { installed, supported }
    : { installed, supported, details: fromDetails(details) };
}

function fromDetails(details: z.infer<typeof detailsSchema>): AntivirusDetails {
  return {
    product: details.product,
    status: details.status,
    realTimeProtection: details.real_time_protection,
    definitionsUpToDate: details.definitions_up_to_date,
    definitionVersion: details.definition_version,
    lastFullScan: details.last_full_scan,
    threats: details.threats,
    several: details.several,
    build: details.build,
    mac: details.mac,
  };
}
