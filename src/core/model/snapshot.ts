import { z } from 'zod';
import { issueWords } from '../lib/issue-words.ts';
import { parseJson } from '../lib/parse-json.ts';
import { printableJson } from '../lib/printable.ts';
import { failed, ok, problem, type Result } from '../problem/problem.ts';
import { type Account, accountOfRecord, recordOfAccount } from './account.ts';
import { type Facts, noFacts } from './facts.ts';
import {
  type Group,
  hostsOf,
  type ListName,
  type ListRead,
  type Observed,
  type ObservedHost,
  observe,
  type UnreadableHost,
  unreadableOf,
} from './observed.ts';
import { factsOf, fromHostDocument, idSchema, snapshotHostSchema, toHostDocument } from './snapshot-host.ts';

/** A fleet in a file: the contents and times of the lists, so that plans can be made without credentials. */
export interface Snapshot {
  readonly account: Account;
  readonly observed: Observed;
  readonly facts: Facts;
  /**
   * Hosts that someone else changed or deleted between two runs, as the earlier run left them. Only in the fleet that a run
   * saves.
   */
  readonly earlier?: readonly ObservedHost[];
}

const snapshotFormatVersion = '1.3';

/** Some shells write it at the start of a file. */
const byteOrderMark = '\ufeff';

const fleetLists: readonly ListName[] = ['hosts-with-groups', 'hosts', 'antivirus-details'];
const factLists: readonly ListName[] = [
  'custom-field-categories',
  'custom-fields',
  'hardware-inventory',
  'system-inventory',
];

const time = z.iso.datetime({ offset: true });

const unreadableSchema = z.object({
  position: z.int().nonnegative(),
  id: idSchema.optional(),
  name: z.string().nullable().optional(),
  why: z.string(),
});

const snapshotSchema = z.looseObject({
  format_version: z.string().regex(/^1\./, `expected format ${snapshotFormatVersion}`),
  account: z.looseObject({ company_id: z.string().nullable(), service: z.string() }),
  taken_at: time,
  lists: z.array(z.looseObject({ list: z.enum([...fleetLists, ...factLists]), at: time })),
  custom_field_categories: z.array(z.string()).optional(),
  groups: z.array(z.looseObject({ id: idSchema, name: z.string().nullable() })),
  hosts: z.array(snapshotHostSchema),
  earlier: z.array(snapshotHostSchema).optional(),
  unreadable: z.array(unreadableSchema).optional(),
  unreadable_antivirus: z.array(unreadableSchema).optional(),
});

/** JSON with one group or one host per line, so that two snapshots can be compared line by line. */
export function printSnapshot({ account, observed, facts, earlier = [] }: Snapshot): string {
  const head = {
    format_version: snapshotFormatVersion,
    account: recordOfAccount(account),
    taken_at: observed.takenAt,
    lists: [...observed.lists, ...facts.lists],
    ...(facts.customFieldCategories === undefined
      ? {}
      : { custom_field_categories: facts.customFieldCategories }),
  };
  const lines = [
    ...Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`),
    `  "groups": ${list(observed.groups)}`,
    `  "hosts": ${list(hostsOf(observed).map((host) => toHostDocument(host, facts)))}`,
    ...(earlier.length === 0
      ? []
      : [`  "earlier": ${list(earlier.map((host) => toHostDocument(host, noFacts)))}`]),
    ...unreadableLines('unreadable', observed.unreadable),
    ...unreadableLines('unreadable_antivirus', observed.unreadableAntivirus),
  ];
  return printableJson(`{\n${lines.join(',\n')}\n}\n`);
}

export function readSnapshot(text: string, file: string): Result<Snapshot> {
  const refuse = (why: string) =>
    failed(
      problem('snapshot-invalid', `the file is not a snapshot: ${why}`, {
        place: { file, line: 1, col: 1 },
        hint: 'create one with: rampart hosts snapshot --out FILE',
      }),
    );
  const document = parseJson(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  if (document === undefined) return refuse('it is not JSON');
  const parsed = snapshotSchema.safeParse(document);
  if (!parsed.success) {
    return refuse(parsed.error.issues.slice(0, 1).map(issueWords).join());
  }
  const { account, hosts, groups, taken_at: takenAt } = parsed.data;
  const { custom_field_categories: customFieldCategories } = parsed.data;
  const twice = firstRepeated(hosts) ?? firstRepeated(groups) ?? firstRepeated(parsed.data.earlier ?? []);
  if (twice !== undefined) return refuse(`it contains the id ${twice} twice`);
  const readOf = (names: readonly ListName[]) =>
    parsed.data.lists.flatMap(({ list: name, at }): readonly ListRead[] =>
      names.includes(name) ? [{ list: name, at }] : [],
    );
  return ok({
    account: accountOfRecord(account),
    observed: observe({
      takenAt,
      lists: readOf(fleetLists),
      groups: groups.map((group) => ({ id: group.id, name: group.name }) as Group),
      hosts: hosts.map(fromHostDocument),
      ...unreadableOf({
        unreadable: toUnreadable(parsed.data.unreadable),
        unreadableAntivirus: toUnreadable(parsed.data.unreadable_antivirus),
      }),
    }),
    facts: {
      lists: readOf(factLists),
      ...factsOf(hosts),
      ...(customFieldCategories === undefined ? {} : { customFieldCategories }),
    },
    ...(parsed.data.earlier === undefined ? {} : { earlier: parsed.data.earlier.map(fromHostDocument) }),
  });
}

/** The schema has checked that ids are 64-bit integers. */
function toUnreadable(hosts: readonly z.infer<typeof unreadableSchema>[] = []): readonly UnreadableHost[] {
  return hosts as readonly object[] as readonly UnreadableHost[];
}

function unreadableLines(key: string, hosts: readonly UnreadableHost[] = []): readonly string[] {
  return hosts.length === 0 ? [] : [`  "${key}": ${list(hosts)}`];
}

function list(items: readonly object[]): string {
  return items.length === 0
    ? '[]'
    : `[\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
}

function firstRepeated(items: readonly { readonly id: string }[]): string | undefined {
  const seen = new Set<string>();
  return items.find(({ id: each }) => seen.size === seen.add(each).size)?.id;
}
