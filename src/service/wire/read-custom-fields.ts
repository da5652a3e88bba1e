import type { Facts } from '../../core/model/facts.ts';
import type { HostId, ListName, ListRead } from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { Client } from '../client/client.ts';
import { checkIds } from './check-ids.ts';
import { type CustomFieldCategory, resolveCustomFields } from './custom-fields.ts';
import type { ListOptions } from './read-antivirus.ts';
import { rightOrCredentials } from './right-problem.ts';

export interface CustomFields {
  readonly lists: readonly ListRead[];
  /** In the order that the service returns. */
  readonly categories: readonly CustomFieldCategory[];
  /** The hosts in the list, in its order. */
  readonly hostIds: readonly HostId[];
  /** Values by category, both as names; undefined if the list does not have the host. */
  customFieldsOf(id: HostId): Readonly<Record<string, string>> | undefined;
}

/**
 * Reads the custom fields of each host (spec section 4, #15 and #16). Both lists have their own limits and are read in
 * parallel. A failed read, or a host that is listed twice, is a failure, never an absence.
 */
export async function readCustomFields(
  client: Client,
  { clock, ...options }: ListOptions,
): Promise<Result<CustomFields>> {
  const timed = async <T>(call: Promise<T>) => ({
    answer: await call,
    at: new Date(clock.now()).toISOString(),
  });
  const [categories, fields] = await Promise.all([
    timed(client.call('listCustomFieldCategories', {}, options)),
    timed(client.call('listCustomFields', {}, options)),
  ]);
  if (!categories.answer.ok)
    return failed(
      await rightOrCredentials(client, categories.answer.failure, 'read the categories of custom fields'),
    );
  if (!fields.answer.ok)
    return failed(await rightOrCredentials(client, fields.answer.failure, 'read the custom fields of hosts'));

  const { metadataCategories } = categories.answer.value;
  const { hosts } = fields.answer.value;
  const hostIds = hosts.map(({ id }) => id as HostId);
  const twice = checkIds(hostIds, 'host', 'list of custom fields');
  if (twice.length > 0) return failed(...twice);
  const resolved = resolveCustomFields(metadataCategories, hosts);
  const read = (list: ListName, at: string): ListRead => ({ list, at });
  return ok(
    {
      lists: [read('custom-field-categories', categories.at), read('custom-fields', fields.at)],
      categories: metadataCategories,
      hostIds,
      customFieldsOf: (id) => resolved.fields.get(id),
    },
    resolved.problems,
  );
}

/** The facts in the lists that were read. Without the list of custom fields, none of them is known. */
export function factsFrom(
  fields: CustomFields | undefined,
  inventory: Pick<Facts, 'lists' | 'inventoryOf' | 'inventoryAt'>,
): Facts {
  return {
    ...inventory,
    lists: [...(fields?.lists ?? []), ...inventory.lists],
    customFieldsOf: (id) => fields?.customFieldsOf(id),
    ...(fields === undefined ? {} : { customFieldCategories: fields.categories.map(({ name }) => name) }),
  };
}
