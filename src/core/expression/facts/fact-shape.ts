import type { InventoryKind } from '../../model/facts.ts';
import { type CelType, listOf, mapOf, type ScalarName, scalar } from '../checker/cel-type.ts';

/** What is declared of a fact: its type and what it means. */
export type FactShape =
  | { readonly kind: 'value'; readonly type: ScalarName; readonly about: string; readonly fields?: Fields }
  | { readonly kind: 'texts'; readonly about: string; readonly fields?: Fields }
  | { readonly kind: 'map'; readonly about: string; readonly fields?: Fields }
  | { readonly kind: 'object'; readonly about: string; readonly members: Members; readonly needs?: Need }
  | { readonly kind: 'objects'; readonly about: string; readonly members: Members; readonly fields?: Fields };

export type Members = Readonly<Record<string, FactShape>>;

/** The names of the report fields that bring it, as the service's lists of fields spell them; `all` for every one. */
export type Fields = readonly string[] | 'all';

/** The list that has to be read for all that is below. */
export type Need = 'antivirus' | 'customFields' | InventoryKind;

const textType = scalar('string');

/** Objects have a type of their own, named by where they stand: `host.inventory`. */
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

/** The name of the type of one item of a list of objects. */
export function itemsOf(path: string): string {
  return `${path}[]`;
}

export function value(type: ScalarName, about: string, fields?: Fields): FactShape {
  return { kind: 'value', type, about, ...(fields === undefined ? {} : { fields }) };
}

export function text(about: string, ...fields: readonly string[]): FactShape {
  return { kind: 'value', type: 'string', about, ...(fields.length === 0 ? {} : { fields }) };
}
