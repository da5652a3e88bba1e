import type { Acks } from '../../../plan/plan.ts';
import type { FleetText } from '../../fleet/fleet-inputs.ts';
import type { PlanFleetOptions } from '../../fleet/plan-fleet.ts';
import { isPresent, knownOrNull } from '../../protocol/value/unknown.ts';
import type { Service } from '../service.ts';
import type { FleetConfig, FleetState } from './fleet-values.ts';

export function textOf({ content, file }: FleetConfig): FleetText {
  return { text: knownOrNull(content) ?? '', ...(isPresent(file) ? { file } : {}) };
}

interface Circumstances {
  readonly prior: FleetState | null;
  readonly signal: AbortSignal;
}

export function optionsFor(
  { session, stateDir }: Service,
  config: FleetConfig,
  { prior, signal }: Circumstances,
): PlanFleetOptions {
  return {
    session,
    signal,
    ...(stateDir === null ? {} : { stateDir }),
    acks: unspentAcks(config, prior),
    skipBlocked: knownOrNull(config.skip_blocked) ?? false,
    deleteFirst: knownOrNull(config.delete_first) ?? false,
    strict: knownOrNull(config.strict) ?? false,
  };
}

function unspentAcks(config: FleetConfig, prior: FleetState | null): Acks {
  const spent = new Set(spentAcks(config, prior));
  const all = Object.entries(isPresent(config.acks) ? config.acks : {});
  return Object.fromEntries(all.filter(([kind]) => !spent.has(kind))) as Acks;
}

/** Consent is for one apply of one content: what the latest had is spent, though it still stands there. */
export function spentAcks({ acks, content }: FleetConfig, prior: FleetState | null): readonly string[] {
  if (prior === null || prior.content !== content || !isPresent(acks)) return [];
  return Object.entries(acks).flatMap(([kind, count]) => (prior.acks?.[kind] === count ? [kind] : []));
}

export function idOf({ session: { account } }: Service): string {
  return account.companyId ?? account.service;
}
