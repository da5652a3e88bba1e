import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import type { InventoryKind } from '../../core/model/facts.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { CallResult, Client } from '../client/client.ts';
import type { StoredFields } from './stored-fields.ts';

const listAction = { hardware: 'listHardwareFields', system: 'listSystemFields' } as const;

/** The field names that the service supports (specification section 4, #7 and #11). */
export async function listInventoryFields(
  client: Client,
  kind: InventoryKind,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Result<readonly string[]>> {
  const listed: CallResult<readonly string[]> = await client.call(listAction[kind], {}, options);
  return listed.ok ? ok(listed.value) : failed(listed.failure.problem);
}

export type FieldChoice = Readonly<Partial<Record<InventoryKind, StoredFields>>>;

/**
 * Maps the words on a command line to fields of the inventories, in the service's own spelling. Without words it
 * selects all fields of these inventories; with words it leaves out an inventory without a named field.
 */
export async function chooseFields(
  client: Client,
  kinds: readonly InventoryKind[],
  words: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<Result<FieldChoice>> {
  if (words.length === 0) return ok(Object.fromEntries(kinds.map((kind) => [kind, null])));
  const lists = new Map<InventoryKind, readonly string[]>();
  for (const kind of kinds) {
    const listed = await listInventoryFields(client, kind, options);
    if (!listed.ok) return listed;
    lists.set(kind, listed.value);
  }
  const known = [...lists.values()].flat();
  const unknown = words.filter((word) => !known.some((field) => isSame(field, word)));
  if (unknown.length > 0) {
    return failed(...unknown.map((word) => unknownField(word, kinds, known)));
  }
  const chosen = [...lists].map(
    ([kind, fields]) => [kind, fields.filter((field) => words.some((word) => isSame(field, word)))] as const,
  );
  return ok(Object.fromEntries(chosen.filter(([, fields]) => fields.length > 0)));
}

/**
 * The first of these fields that the service does not have; undefined if it has all of them or does not report its
 * fields.
 */
export async function findUnknownField(
  client: Client,
  kind: InventoryKind,
  fields: readonly string[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<Problem | undefined> {
  const listed = await listInventoryFields(client, kind, options);
  if (!listed.ok) return undefined;
  const unknown = fields.find((field) => !listed.value.some((each) => isSame(each, field)));
  return unknown === undefined ? undefined : unknownField(unknown, [kind], listed.value);
}

function isSame(field: string, word: string): boolean {
  return field.toLowerCase() === word.toLowerCase();
}

function unknownField(word: string, kinds: readonly InventoryKind[], known: readonly string[]): Problem {
  return problem('usage', `the ${kinds.join(' and the ')} inventory has no field ${quoted(word)}`, {
    hint: didYouMean(nearest(word, known)) ?? 'list the fields with: rampart hosts inventory fields',
  });
}
