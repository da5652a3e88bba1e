import type { FactNeeds, InventoryKind } from '../../model/facts.ts';
import { shapeAt } from './declared-facts.ts';
import type { FactShape, ReportFields } from './fact-shape.ts';

/** The lists and fields that must be fetched so that the facts at these paths can be read. */
export function needsOf(paths: Iterable<string>): FactNeeds {
  const all = [...paths];
  const below = (prefix: string) => all.some((path) => path === prefix || path.startsWith(`${prefix}.`));
  return {
    antivirus: below('host.antivirus'),
    customFields: below('host.customFields'),
    hardware: fieldsNeeded(all, 'hardware'),
    system: fieldsNeeded(all, 'system'),
  };
}

function fieldsNeeded(paths: readonly string[], kind: InventoryKind): readonly string[] {
  const root = `host.inventory.${kind}`;
  const fields = paths.flatMap((path) => {
    if (path === 'host.inventory') return every(root);
    if (path !== root && !path.startsWith(`${root}.`)) return [];
    const shape = shapeAt(path);
    return shape === undefined ? [] : fieldsBelow(shape, root);
  });
  return [...new Set(fields)].sort();
}

function fieldsBelow(shape: FactShape, root: string): readonly string[] {
  const own = 'fields' in shape ? toNames(shape.fields, root) : [];
  if (shape.kind !== 'object') return own;
  return [...own, ...Object.values(shape.members).flatMap((member) => fieldsBelow(member, root))];
}

function toNames(fields: ReportFields | undefined, root: string): readonly string[] {
  return fields === 'all' ? every(root) : (fields ?? []);
}

function every(root: string): readonly string[] {
  const shape = shapeAt(root);
  if (shape?.kind !== 'object') return [];
  return Object.values(shape.members)
    .filter((member) => !('fields' in member && member.fields === 'all'))
    .flatMap((member) => fieldsBelow(member, root));
}
