import type { Connection } from '../../accounts/engine/connection.ts';
import { needsNothing } from '../../core/model/facts.ts';
import { hostsOf } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { customFieldColumn, hostColumns } from '../../output/review/host-columns.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { type CustomFields, readCustomFields } from '../../service/wire/read-custom-fields.ts';
import { findHost, findHostId } from '../listing/find-host.ts';
import { hostRows } from '../listing/list-hosts.ts';
import { printListing } from '../listing/print-listing.ts';
import { readKnownFleet, withConnection } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';

export interface CustomFieldsFlags {
  /** An id or a name. */
  readonly host?: string;
}

/** The custom fields of the fleet with counts, those of one host, or as CSV and NDJSON all fields of all hosts. */
export function customFields(context: Context, { host }: CustomFieldsFlags): Promise<ExitCode> {
  const { format } = context.settings;
  if (format === 'csv' || format === 'ndjson') return printGrid(context, host);
  return host === undefined ? printTallies(context) : printHost(context, host);
}

async function printTallies(context: Context): Promise<ExitCode> {
  const read = await withConnection(context, (connection) => fieldsOf(connection, context));
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const tallies = tallyFields(read.value);
  if (context.settings.format === 'json') context.printJson(tallies);
  else if (tallies.length === 0) context.print('There are no custom fields.\n');
  else printListing(context, tallies.flatMap(toRows), tallyColumns);
  return exitCodes.success;
}

async function printHost(context: Context, word: string): Promise<ExitCode> {
  const read = await withConnection(context, async (connection) => {
    const id = await findHostId(word, connection.reader);
    if (!id.ok) return id;
    const fields = await fieldsOf(connection, context);
    if (!fields.ok) return fields;
    return ok({ id: id.value, values: fields.value.customFieldsOf(id.value) ?? {} }, fields.problems);
  });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const { id, values } = read.value;
  const entries = Object.entries(values);
  if (context.settings.format === 'json') context.printJson({ id, custom_fields: values });
  else if (entries.length === 0) context.print(`No custom field is set for host ${id}.\n`);
  else printListing(context, entries, entryColumns);
  return exitCodes.success;
}

/** Hosts by category, like the grid of the console. */
async function printGrid(context: Context, word: string | undefined): Promise<ExitCode> {
  const fleet = await readKnownFleet(context, { ...needsNothing, customFields: true });
  if (!fleet.ok) return context.fail(fleet.problems);
  const { observed, facts } = fleet.value;
  const all = hostsOf(observed);
  const one = word === undefined ? ok(undefined) : findHost(word, all);
  if (!one.ok) return context.fail(one.problems);
  context.report(fleet.problems);
  const rows = hostRows(all, fleet.value);
  const names = new Set([
    ...facts.categories.map(({ name }) => name),
    ...rows.flatMap(({ fields }) => Object.keys(fields)),
  ]);
  const shown = rows.filter(({ host }) => one.value === undefined || host.id === one.value.id);
  printListing(context, shown, [hostColumns.id, hostColumns.name, ...[...names].map(customFieldColumn)]);
  return exitCodes.success;
}

function fieldsOf({ client }: Connection, { io }: Context): Promise<Result<CustomFields>> {
  return readCustomFields(client, { clock: io.clock });
}

interface TallyRow {
  readonly category: string;
  readonly value: string;
  readonly hosts: number;
}

function toRows({ name, values }: CategoryTally): readonly TallyRow[] {
  return values.map((value) => ({ category: name, value: value.name, hosts: value.hosts }));
}

const tallyColumns: readonly Column<TallyRow>[] = [
  { key: 'category', kind: 'name', value: ({ category }) => category },
  { key: 'value', kind: 'name', value: ({ value }) => value },
  { key: 'hosts', kind: 'fixed', value: ({ hosts }) => hosts },
];

const entryColumns: readonly Column<readonly [string, string]>[] = [
  { key: 'category', kind: 'name', value: ([category]) => category },
  { key: 'value', kind: 'name', value: ([, value]) => value },
];

interface ValueTally {
  readonly name: string;
  readonly hosts: number;
}

interface CategoryTally {
  readonly name: string;
  /** How many hosts have a value in it. */
  readonly hosts: number;
  readonly values: readonly ValueTally[];
}

/**
 * How many hosts have each value: categories and values in the order of the service, including unused ones. Values that
 * the categories do not name come last.
 */
function tallyFields({ categories, hostIds, customFieldsOf }: CustomFields): readonly CategoryTally[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, values } of categories) {
    if (!counts.has(name)) counts.set(name, new Map(values.map((value) => [value.name, 0])));
  }
  for (const id of hostIds) {
    for (const [category, value] of Object.entries(customFieldsOf(id) ?? {})) {
      const values = counts.get(category) ?? new Map<string, number>();
      counts.set(category, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  return [...counts].map(([name, values]) => ({
    name,
    hosts: [...values.values()].reduce((sum, each) => sum + each, 0),
    values: [...values].map(([value, hosts]) => ({ name: value, hosts })),
  }));
}
