import type { Acks } from '../../../core/plan/types/plan.ts';
import { openTablesOf } from '../../../input/sources/open-table.ts';
import type { FleetText } from '../../fleet/fleet-inputs.ts';
import type { InstallMemory, PlanFleetOptions } from '../../fleet/plan-fleet.ts';
import { typeOfBody } from '../../protocol/schema/schema.ts';
import { isSameValue } from '../../protocol/value/same-value.ts';
import { isPresent, knownOrNull, type Type } from '../../protocol/value/value.ts';
import type { ProviderService } from '../service.ts';
import { textOfBlocks } from './desired-blocks.ts';
import { partsOfDesired } from './fleet-rules.ts';
import { fleetSchema } from './fleet-schema.ts';
import type { FleetConfig, FleetResourceState } from './fleet-values.ts';

export function textOf(config: FleetConfig): FleetText {
  const { content, file, tables } = config;
  if (!isPresent(content)) return textOfBlocks(config);
  const given = Object.entries(isPresent(tables) ? tables : {});
  const known = given.flatMap(([path, each]) => (isPresent(each) ? [[path, each] as const] : []));
  return {
    text: content,
    ...(isPresent(file) ? { file } : {}),
    ...(isPresent(tables) ? { openTable: openTablesOf(Object.fromEntries(known)) } : {}),
  };
}

interface Circumstances {
  readonly prior: FleetResourceState | null;
  /** The install requests that the resource remembers; none if absent. */
  readonly remembered?: InstallMemory;
  readonly signal: AbortSignal;
}

export function optionsFor(
  { session, inventoryPlace, openState, redact, fetchRegister }: ProviderService,
  config: FleetConfig,
  { prior, remembered = {}, signal }: Circumstances,
): PlanFleetOptions {
  return {
    session,
    signal,
    redact,
    remembered,
    inventory: inventoryPlace,
    fetchRegister,
    ...(openState === null ? {} : { openState }),
    acks: unspentAcks(config, prior),
    skipBlocked: knownOrNull(config.skip_blocked) ?? false,
    deleteFirst: knownOrNull(config.delete_first) ?? false,
    strict: knownOrNull(config.strict) ?? false,
    ...(isPresent(config.ticket) ? { ticket: config.ticket } : {}),
  };
}

function unspentAcks(config: FleetConfig, prior: FleetResourceState | null): Acks {
  const spent = new Set(spentAcks(config, prior));
  const all = Object.entries(isPresent(config.acks) ? config.acks : {});
  return Object.fromEntries(all.filter(([kind]) => !spent.has(kind))) as Acks;
}

/**
 * An approval is for one apply of one desired state: approvals of the latest apply are used up, although the
 * configuration still contains them.
 */
export function spentAcks(config: FleetConfig, prior: FleetResourceState | null): readonly string[] {
  const { acks } = config;
  if (prior === null || !isPresent(acks) || !wantsTheSame(config, prior)) return [];
  return Object.entries(acks).flatMap(([kind, count]) => (prior.acks?.[kind] === count ? [kind] : []));
}

function wantsTheSame(config: FleetConfig, prior: FleetResourceState): boolean {
  const { object } = typeOfBody(fleetSchema);
  return (['content', 'tables', ...partsOfDesired] as const).every((name) =>
    isSameValue(object[name] as Type, config[name], prior[name]),
  );
}

export function idOf({ session: { account } }: ProviderService): string {
  return account.companyId ?? account.service;
}
