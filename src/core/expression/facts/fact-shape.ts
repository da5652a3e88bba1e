import type { InventoryKind } from '../../model/facts.ts';
import { type CelType, listOf, mapOf, type ScalarName, scalar } from '../checker/cel-type.ts';

/** The declaration of a fact: its type and its meaning. */
export type FactShape =
  | {
      readonly kind: 'value';
      readonly type: ScalarName;
      readonly about: string;
      readonly fields?: ReportFields;
    }
  | { readonly kind: 'texts'; readonly about: string; readonly fields?: ReportFields }
  | { readonly kind: 'map'; readonly about: string; readonly fields?: ReportFields }
  | { readonly kind: 'object'; readonly about: string; readonly members: FactMembers; readonly needs?: Need }
  | {
      readonly kind: 'objects';
      readonly about: string;
      readonly members: FactMembers;
      readonly fields?: ReportFields;
    };

export type FactMembers = Readonly<Record<string, FactShape>>;

/**
 * The names of the report fields that contain the fact, as the service's field lists spell them; `all` for every field.
 */
export type ReportFields = readonly string[] | 'all';

/** The list that must be read for everything below this shape. */
export type Need = 'antivirus' | 'customFields' | InventoryKind;

const textType = scalar('string');

/** Each object has its own type, named after its path: `host.inventory`. */
export function typeOfShape(shape: FactShape, path: string): CelType {
  switch (shape.kind) {
    case 'value':
      return scalar(shape.type);
    case 'texts':
      return listOf(textType);
    case 'map':
      return mapOf(textType, textType);
    case 'object':
      return { kind: 'object', name: path };
    case 'objects':
      return listOf({ kind: 'object', name: itemsOf(path) });
  }
}

/** The name of the item type of a list of objects. */
export function itemsOf(path: string): string {
  return `${path}[]`;
}

export function value(type: ScalarName, about: string, fields?: ReportFields): FactShape {
  return { kind: 'value', type, about, ...(fields === undefined ? {} : { fields }) };
}

export function textFactOf(about: string, ...fields: readonly string[]): FactShape {
  return { kind: 'value', type: 'string', about, ...(fields.length === 0 ? {} : { fields }) };
}
