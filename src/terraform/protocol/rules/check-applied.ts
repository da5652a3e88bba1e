import type { Fault } from '../value/conformity.ts';
import type { Path } from '../value/path.ts';
import { isSameValue, keyOfValue } from '../value/same-value.ts';
import { isUnknown, type Refinement } from '../value/unknown.ts';
import { isRecord, isWhollyKnown, type Value } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';

/** The differences between the applied and the planned value: everything that the plan knew must have come true. */
export function faultsOfApplied(type: Type, planned: Value, done: Value, path: Path = []): readonly Fault[] {
  if (isUnknown(planned)) return faultsOfRefinement(planned.refinement, done, path);
  if (isSameValue(type, planned, done)) return [];
  const differs = [{ path, fault: 'must equal the planned value' }];
  if (planned === null || done === null || isUnknown(done) || typeof type === 'string') return differs;
  if ('list' in type || 'tuple' in type) {
    if (!Array.isArray(planned) || !Array.isArray(done) || planned.length !== done.length) return differs;
    return planned.flatMap((each: Value, index) => {
      const element = 'list' in type ? type.list : (type.tuple[index] as Type);
      return faultsOfApplied(element, each, done[index] as Value, [...path, index]);
    });
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
  const known = planned.filter(isWhollyKnown).map((each: Value) => keyOfValue(element, each));
  const reached = new Set(done.map((each: Value) => keyOfValue(element, each)));
  return known.every((each) => reached.has(each)) && reached.size <= planned.length;
}

function faultsOfRefinement(promised: Refinement, done: Value, path: Path): readonly Fault[] {
  if (done === null)
    return promised.nullable === false
      ? [{ path, fault: 'must not be null, because the plan excludes null' }]
      : [];
  if (promised.prefix !== undefined && typeof done === 'string' && !done.startsWith(promised.prefix))
    return [{ path, fault: 'must begin with the planned prefix' }];
  return [];
}
