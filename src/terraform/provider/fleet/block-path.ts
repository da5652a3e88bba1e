import type { Path } from '../../protocol/value/path.ts';
import { isRecord, type RecordValue, type Value } from '../../protocol/value/value.ts';
import { argumentNameOf } from './desired-keys.ts';

/** The path in the configuration, down to an argument, for a path of the desired state such as `hosts[3].group`. */
export function blockPath(part: string, config: RecordValue): Path {
  const path: (string | number)[] = [];
  let at: Value = config;
  for (const [, key, index] of part.matchAll(/([A-Za-z_]\w*)|\[(\d+)\]/g)) {
    const step: string | number = key === undefined ? Number(index) : argumentOf(at, key, path);
    const next: Value | undefined = Array.isArray(at)
      ? at[step as number]
      : isRecord(at)
        ? at[step]
        : undefined;
    if (next === undefined) break;
    path.push(step);
    at = next;
    // Terraform can't point at parts of a value.
    if (!isRecord(at) && !(Array.isArray(at) && at.some(isRecord))) break;
  }
  return path;
}

/** One of two arguments names a group. */
function argumentOf(at: Value, key: string, path: Path): string {
  const isTop = path.length === 0;
  if (isTop && key === 'account') return 'company_id';
  if (isTop && key === 'groups') return 'group';
  const name = argumentNameOf(key);
  if (name !== 'group' && name !== 'others_to') return name;
  const [byName, byId] = path[0] === 'group' && name === 'group' ? ['name', 'id'] : [name, `${name}_id`];
  const isByName = !isRecord(at) || (at[byId] ?? null) === null;
  return isByName ? byName : byId;
}

/** Terraform shows the line of an argument only, so a block is represented by its first argument. */
export function pointerTo(path: Path, config: RecordValue): Path {
  const at = path.reduce<Value | undefined>(
    (value, step) => (value as Readonly<Record<string | number, Value>>)[step],
    config,
  );
  const first =
    path.length > 0 && isRecord(at) ? Object.keys(at).find((name) => isArgument(at[name])) : undefined;
  return first === undefined ? path : [...path, first];
}

function isArgument(value: Value | undefined): boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

export function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}
