import { canonicalJson } from '../../lib/canonical-json.ts';
import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { type AccountFacts, type FactValue, type InventoryKind, inventoryKinds } from '../../model/facts.ts';
import { factMembersOf, shapeAt } from './declared-facts.ts';
import { type FactShape, itemsOf } from './fact-shape.ts';

/** A fact in the form of its declared type; undefined if it is unknown. An empty text counts as unknown. */
export type Fact =
  | string
  | bigint
  | boolean
  | readonly string[]
  | ReadonlyMap<string, string>
  | readonly FactObject[];

/** One item of a list of objects, with only its known members. */
export type FactObject = ReadonlyMap<string, string>;

export type FactReader = (subject: ExpressionSubject, change?: ChangeFacts) => Fact | undefined;

const hostReaders: Readonly<Record<string, FactReader>> = {
  'host.id': ({ id }) => BigInt(id),
  'host.name': ({ name }) => known(name),
  'host.hostName': ({ host }) => known(host.hostName),
  'host.group': ({ group }) => group,
  'host.groupId': ({ host }) => BigInt(host.groupId),
  'host.online': ({ host }) => host.online,
  'host.stateChangedAt': ({ host }) => known(host.stateChangedAt),
  'host.customFields': (subject) => customFields(subject),
  'host.antivirus.installed': ({ host }) => host.antivirus?.installed,
  'host.antivirus.supported': ({ host }) => host.antivirus?.supported,
  'host.antivirus.product': ({ host }) => known(host.antivirus?.details?.product),
  'host.antivirus.status': ({ host }) => known(host.antivirus?.details?.status),
  'host.antivirus.realTimeProtection': ({ host }) => host.antivirus?.details?.realTimeProtection ?? undefined,
  'host.antivirus.definitionsUpToDate': ({ host }) =>
    host.antivirus?.details?.definitionsUpToDate ?? undefined,
  'host.antivirus.definitionVersion': ({ host }) => known(host.antivirus?.details?.definitionVersion),
  'host.antivirus.lastFullScan': ({ host }) => known(host.antivirus?.details?.lastFullScan),
  'host.antivirus.threats': ({ host }) => whole(host.antivirus?.details?.threats),
  'host.antivirus.several': ({ host }) => host.antivirus?.details?.several ?? undefined,
  'host.antivirus.build': ({ host }) => whole(host.antivirus?.details?.build),
  'host.antivirus.mac': ({ host }) => host.antivirus?.details?.mac ?? undefined,
  'account.name': ({ facts }) => known(facts.account?.name),
  'account.labels': ({ facts }) => facts.account && labelsOf(facts.account.labels),
  now: ({ facts }) => known(facts.now),
  'change.kind': (_, change) => change?.kind ?? '',
  'change.from': (_, change) => change?.from ?? '',
  'change.to': (_, change) => change?.to ?? '',
};

const readers = new Map<string, FactReader>(Object.entries(hostReaders));

/** Returns the function that reads the fact at a declared path. */
export function readerOf(path: string): FactReader {
  const declared = readers.get(path);
  if (declared !== undefined) return declared;
  const reader = inventoryReader(path);
  readers.set(path, reader);
  return reader;
}

function inventoryReader(path: string): FactReader {
  const [, , kind, ...names] = path.split('.');
  const shape = shapeAt(path);
  if (shape === undefined || (kind !== 'hardware' && kind !== 'system')) throw new Error(`no fact: ${path}`);
  return (subject) => inventoryFact(subject, { kind, names, shape, path });
}

/** Is any fact of the object at this path known? */
export function objectIsKnown(path: string, subject: ExpressionSubject): boolean {
  const [root, section, kind, ...names] = path.split('.');
  if (root === 'account') return subject.facts.account !== undefined;
  if (section === 'antivirus') return subject.host.antivirus !== undefined;
  if (section !== 'inventory') return true;
  const kinds = inventoryKinds.filter((each) => kind === undefined || each === kind);
  return kinds.some(
    (each) => memberAt(subject.facts.inventoryOf(each, subject.host.id), names) !== undefined,
  );
}

/** Reads one entry of a map without making the map. */
export function readMapEntry(path: string, key: string, subject: ExpressionSubject): string | undefined {
  if (path === 'account.labels') {
    const labels = subject.facts.account?.labels;
    return labels !== undefined && Object.hasOwn(labels, key) ? known(labels[key]) : undefined;
  }
  if (path === 'host.customFields') {
    return asText(member(subject.facts.customFieldsOf(subject.host.id), key));
  }
  const kind = path.includes('.hardware.') ? 'hardware' : 'system';
  const declared = factMembersOf(`host.inventory.${kind}`);
  if (Object.hasOwn(declared, key)) return undefined;
  return asText(memberAt(subject.facts.inventoryOf(kind, subject.host.id), [key]));
}

function labelsOf(labels: AccountFacts['labels']): ReadonlyMap<string, string> {
  return new Map(Object.entries(labels).filter(([, value]) => value !== ''));
}

function customFields({ facts, host }: ExpressionSubject): ReadonlyMap<string, string> | undefined {
  const fields = facts.customFieldsOf(host.id);
  return fields && new Map(Object.entries(fields).filter(([, value]) => value !== ''));
}

interface InventoryPath {
  readonly kind: InventoryKind;
  readonly names: readonly string[];
  readonly shape: FactShape;
  readonly path: string;
}

function inventoryFact(
  subject: ExpressionSubject,
  { kind, names, shape, path }: InventoryPath,
): Fact | undefined {
  const record = subject.facts.inventoryOf(kind, subject.host.id);
  if (record === undefined) return undefined;
  if (shape.kind === 'map') return otherFields(record, `host.inventory.${kind}`);
  const found = memberAt(record, names);
  if (found === undefined || found === null) return undefined;
  switch (shape.kind) {
    case 'value':
      return asText(found);
    case 'texts':
      return items(found).flatMap((each) => asName(each) ?? []);
    case 'objects':
      return items(found).map((each) => toObject(each, itemsOf(path)));
    case 'object':
      return undefined;
  }
}

function otherFields(record: FactValue, typeName: string): ReadonlyMap<string, string> {
  const declared = factMembersOf(typeName);
  const entries = Object.entries(record ?? {}).flatMap(([key, value]) => {
    const text = Object.hasOwn(declared, key) || key === 'hostId' ? undefined : asText(value as FactValue);
    return text === undefined ? [] : [[key, text] as const];
  });
  return new Map(entries);
}

function toObject(value: FactValue, type: string): FactObject {
  const values = Object.keys(factMembersOf(type)).flatMap((name) => {
    const text = asText(memberAt(value, [name]));
    return text === undefined ? [] : [[name, text] as const];
  });
  return new Map(values);
}

function memberAt(value: FactValue | undefined, names: readonly string[]): FactValue | undefined {
  return names.reduce(member, value);
}

/** Reads only own members of the value, not inherited ones. */
function member(value: FactValue | undefined, name: string): FactValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as { readonly [key: string]: FactValue })[name] : undefined;
}

/** A single value counts as a list of one. */
function items(value: FactValue): readonly FactValue[] {
  return Array.isArray(value) ? (value as readonly FactValue[]) : [value];
}

/** A text, or the name field of an object. */
function asName(value: FactValue): string | undefined {
  const named = memberAt(value, ['name']) ?? memberAt(value, ['batteryName']);
  return asText(named ?? value);
}

function asText(value: FactValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return known(value);
  if (Array.isArray(value)) return known(value.flatMap((each: FactValue) => asText(each) ?? []).join(', '));
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

function known(text: string | null | undefined): string | undefined {
  return text === null || text === '' ? undefined : text;
}

function whole(value: number | null | undefined): bigint | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}
