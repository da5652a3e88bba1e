import {
  DefaultTokenResolver,
  StringConcat,
  TerraformLocal,
  type TerraformResource,
  TerraformStack,
  Tokenization,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { nothing } from '../literal.ts';

/** Arguments by their Terraform names, as the stack has them. */
export type StackAttributes = Readonly<Record<string, unknown>>;

/**
 * The arguments of a resource with its overrides: for each of its instances if the stack itself has the collection of
 * `for_each`, else once, with `each` in them.
 */
export function instancesOf(resource: TerraformResource): readonly StackAttributes[] {
  const { '//': _, for_each: over, ...attributes } = attributesOf(resource);
  const rows = over === undefined ? undefined : rowsOf(over, resource);
  return rows === undefined ? [attributes] : rows.map((row) => filledIn(attributes, row) as StackAttributes);
}

function attributesOf(resource: TerraformResource): StackAttributes {
  const { resource: block } = resource.toTerraform() as {
    readonly resource?: Readonly<Record<string, Readonly<Record<string, StackAttributes>>>>;
  };
  const [attributes = {}] = Object.values(block?.[resource.terraformResourceType] ?? {});
  return resolved(attributes, resource) as StackAttributes;
}

const resolver = new DefaultTokenResolver(new StringConcat());

function resolved(value: unknown, scope: IConstruct): unknown {
  return Tokenization.resolve(value, { scope, preparing: false, resolver }) as unknown;
}

interface Row {
  readonly key: string;
  readonly value: unknown;
}

/** Undefined if only Terraform knows it. */
function rowsOf(over: unknown, scope: IConstruct): readonly Row[] | undefined {
  if (typeof over === 'object' && over !== null)
    return Object.entries(over).map(([key, value]) => ({ key, value }));
  const [, list, local] = /^\$\{(?:toset\((\[.*\])\)|local\.([\w-]+))\}$/s.exec(String(over)) ?? [];
  if (list !== undefined) return rowsOfSet(list);
  return local === undefined ? undefined : rowsOfLocal(local, scope);
}

function rowsOfSet(list: string): readonly Row[] | undefined {
  if (!/^\["(?:[^"\\$%]|\\.)*"(?:, ?"(?:[^"\\$%]|\\.)*")*\]$/.test(list)) return undefined;
  return (JSON.parse(list) as readonly string[]).map((key) => ({ key, value: key }));
}

function rowsOfLocal(name: string, scope: IConstruct): readonly Row[] | undefined {
  const local = TerraformStack.of(scope)
    .node.findAll()
    .find((each) => each instanceof TerraformLocal && each.friendlyUniqueId === name);
  if (!(local instanceof TerraformLocal)) return undefined;
  const { locals } = resolved(local.toTerraform(), scope) as { readonly locals?: StackAttributes };
  const value = locals?.[name];
  return typeof value === 'object' && value !== null ? rowsOf(value, scope) : undefined;
}

const eachOf = /\$\{each\.(key|value)(?:\.(\w+)|\["([^"]+)"\])?\}/g;

/** Replaces `each` by the values of an instance; values that are missing from the row stay unchanged. */
function filledIn(value: unknown, row: Row): unknown {
  if (Array.isArray(value)) return value.map((each) => filledIn(each, row));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, row)]));
  if (typeof value !== 'string') return value;
  const [first] = value.matchAll(eachOf);
  if (first?.[0] === value) {
    const inserted = valueInRow(first[1], first[2] ?? first[3], row);
    return inserted === undefined ? value : inserted;
  }
  return value.replaceAll(eachOf, (text, which: string, name?: string, quotedName?: string) => {
    const inserted = valueInRow(which, name ?? quotedName, row);
    return typeof inserted === 'string' || typeof inserted === 'number' ? String(inserted) : text;
  });
}

/** Undefined if the row does not have it. */
function valueInRow(which: string | undefined, part: string | undefined, { key, value }: Row): unknown {
  if (which === 'key') return key;
  if (part === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as StackAttributes)[part];
  return found === nothing ? null : found;
}
