import type { Fault } from '../../../../src/terraform/protocol/value/conformity.ts';
import type { Path } from '../../../../src/terraform/protocol/value/path.ts';
import { isSameValue } from '../../../../src/terraform/protocol/value/same-value.ts';
import {
  isRecord,
  isUnknown,
  isWhollyKnown,
  type Type,
  type Unknown,
  unknownNotNull,
  type Value,
} from '../../../../src/terraform/protocol/value/value.ts';

/** What Terraform's core refuses in a state after an apply: everything that the plan knew must have come true. */
export function faultsOfApplied(type: Type, planned: Value, done: Value, path: Path = []): readonly Fault[] {
  if (isUnknown(planned)) return faultsOfUnknown(planned, done, path);
  if (isSameValue(type, planned, done)) return [];
  const differs = [{ path, fault: 'must equal the planned value' }];
  if (planned === null || done === null || isUnknown(done) || typeof type === 'string') return differs;
  if ('list' in type) {
    if (!Array.isArray(planned) || !Array.isArray(done) || planned.length !== done.length) return differs;
    return planned.flatMap((each: Value, index) =>
      faultsOfApplied(type.list, each, done[index] as Value, [...path, index]),
    );
  }
  if ('set' in type) return isSetFulfilled(type.set, planned, done) ? [] : differs;
  if (!isRecord(planned) || !isRecord(done)) return differs;
  const names = Object.keys(planned);
  if ('map' in type && names.sort().join() !== Object.keys(done).sort().join()) return differs;
  return names.flatMap((name) =>
    faultsOfApplied(
      'map' in type ? type.map : (type.object[name] as Type),
      planned[name] as Value,
      done[name] ?? null,
      [...path, name],
    ),
  );
}

/** Every element that the plan knew exists. Each other one has become one of the rest, or equal to another. */
function isSetFulfilled(element: Type, planned: Value, done: Value): boolean {
  if (!Array.isArray(planned) || !Array.isArray(done)) return false;
  const isReached = (each: Value) => done.some((other: Value) => isSameValue(element, each, other));
  return planned.filter(isWhollyKnown).every(isReached) && done.length <= planned.length;
}

function faultsOfUnknown({ promises }: Unknown, done: Value, path: Path): readonly Fault[] {
  const isNeverNull = Buffer.from(promises ?? []).equals(unknownNotNull.promises as Uint8Array);
  return isNeverNull && done === null
    ? [{ path, fault: 'must not be null, because the plan excludes null' }]
    : [];
}
