import { defaultLimits, type Limit, parseLimit } from '../../../core/model/policy.ts';
import { type Diagnostic, errorDiagnostic } from '../../protocol/provider/call.ts';
import { isPresent } from '../../protocol/value/value.ts';
import type { ProviderConfig } from './configuration.ts';

/** The limits of one resource, or of all resources in one run. */
export interface RunLimits {
  /** Hosts that all `rampart_host` resources of one run delete. */
  readonly delete: Limit;
  /** Hosts that one `rampart_group_members` removes from its group. */
  readonly evict: Limit;
}

export function limitsOf({ limits }: Pick<ProviderConfig, 'limits'>): RunLimits {
  const given = isPresent(limits) ? limits : {};
  const limitOf = (text: unknown) =>
    (typeof text === 'string' ? parseLimit(text) : undefined) ?? defaultLimits.delete;
  return { delete: limitOf(given['delete']), evict: limitOf(given['evict']) };
}

/** How many deletions are approved; undefined if none is set. */
export function approvedDeletions({ acks }: Pick<ProviderConfig, 'acks'>): number | undefined {
  const count = isPresent(acks) ? acks['delete'] : undefined;
  return typeof count === 'number' ? count : undefined;
}

export function limitFaults({
  limits,
  acks,
}: Pick<ProviderConfig, 'limits' | 'acks'>): readonly Diagnostic[] {
  const faultyLimits = Object.entries(isPresent(limits) ? limits : {}).flatMap(([kind, text]) => {
    const path = ['limits', kind];
    if (kind !== 'delete' && kind !== 'evict') return [unknownKind(kind, 'delete and evict', path)];
    return typeof text !== 'string' || parseLimit(text) !== undefined
      ? []
      : [
          errorDiagnostic(`The limit ${kind} is neither a number of hosts nor a share of the fleet`, {
            detail: 'Write "10" for ten hosts, or "10%" for ten percent of the fleet.',
            path,
          }),
        ];
  });
  return [...faultyLimits, ...ackFaults(acks, 'delete')];
}

/** Faults of approvals that may have only this kind. */
export function ackFaults(
  acks: ProviderConfig['acks'],
  only: 'delete' | 'evict' | 'antivirus',
): readonly Diagnostic[] {
  return Object.entries(isPresent(acks) ? acks : {}).flatMap(([kind, count]) => {
    const path = ['acks', kind];
    if (kind !== only) return [unknownKind(kind, `only ${only}`, path)];
    return typeof count !== 'number' || (Number.isSafeInteger(count) && count >= 0)
      ? []
      : [
          errorDiagnostic(`The approval ${kind} is not a number of hosts`, {
            detail: 'Write the exact number that the plan reports, such as 28.',
            path,
          }),
        ];
  });
}

function unknownKind(kind: string, known: string, path: readonly string[]): Diagnostic {
  return errorDiagnostic(`${JSON.stringify(kind)} is not a valid kind of change`, {
    detail: `This argument takes ${known}.`,
    path,
  });
}
