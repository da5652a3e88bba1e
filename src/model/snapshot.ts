import { z } from 'zod';
import { isInt64 } from '../lib/int64.ts';
import { printableJson } from '../lib/printable-json.ts';
import { problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import type { Account } from './account.ts';
import type { Group } from './group.ts';
import { hostsOf, type ListRead, type Observed, type ObservedHost, observe } from './observed.ts';

/** A fleet in a file: what the lists said and when, so that plans can be made without credentials. */
export interface Snapshot {
  readonly account: Account;
  readonly observed: Observed;
}

const snapshotFormatVersion = '1.0';

/** Some shells put it before what they write to a file. */
const byteOrderMark = '\ufeff';

const id = z.string().refine(isInt64, 'expected a 64-bit integer in quotation marks');
const name = z.string().nullable();
const time = z.iso.datetime({ offset: true });

const snapshotSchema = z.looseObject({
  format_version: z.string().regex(/^1\./, `expected format ${snapshotFormatVersion}`),
  account: z.looseObject({ company_id: z.string().nullable(), service: z.string() }),
  taken_at: time,
  lists: z.array(
    z.looseObject({ list: z.enum(['hosts-with-groups', 'hosts', 'antivirus-details']), at: time }),
  ),
  groups: z.array(z.looseObject({ id, name })),
  hosts: z.array(
    z.looseObject({
      id,
      name,
      group_id: id,
      online: z.boolean(),
      antivirus: z.looseObject({ installed: z.boolean(), supported: z.boolean() }).optional(),
    }),
  ),
});

/** JSON with one group and one host to a line, so that two snapshots can be compared line by line. */
export function printSnapshot({ account, observed }: Snapshot): string {
  const head = {
    format_version: snapshotFormatVersion,
    account: { company_id: account.companyId, service: account.service },
    taken_at: observed.takenAt,
    lists: observed.lists,
  };
  const lines = [
    ...Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`),
    `  "groups": ${list(observed.groups)}`,
    `  "hosts": ${list(hostsOf(observed).map(toDocument))}`,
  ];
  return printableJson(`{\n${lines.join(',\n')}\n}\n`);
}

export function readSnapshot(text: string, file: string): Result<Snapshot> {
  const refuse = (why: string) =>
    failed(
      problem('snapshot-invalid', `this is not a snapshot: ${why}`, {
        place: { file, line: 1, col: 1 },
        hint: 'make one with: rampart snapshot --out FILE',
      }),
    );
  let document: unknown;
  try {
    document = JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  } catch {
    return refuse('it is not JSON');
  }
  const parsed = snapshotSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`${issue?.path.join('.') || 'the top level'}: ${issue?.message}`);
  }
  const { account, hosts, groups, lists, taken_at: takenAt } = parsed.data;
  const twice = firstRepeated(hosts) ?? firstRepeated(groups);
  if (twice !== undefined) return refuse(`the id ${twice} is in it twice`);
  return ok({
    account: { companyId: account.company_id, service: account.service },
    observed: observe({
      takenAt,
      lists: lists.map(({ list: name, at }): ListRead => ({ list: name, at })),
      groups: groups.map((group) => ({ id: group.id, name: group.name }) as Group),
      hosts: hosts.map(fromDocument),
    }),
  });
}

function toDocument({ id: hostId, name: hostName, groupId, online, antivirus }: ObservedHost): object {
  return {
    id: hostId,
    name: hostName,
    group_id: groupId,
    online,
    ...(antivirus === undefined ? {} : { antivirus }),
  };
}

function fromDocument(host: z.infer<typeof snapshotSchema>['hosts'][number]): ObservedHost {
  const { antivirus } = host;
  return {
    id: host.id,
    name: host.name,
    groupId: host.group_id,
    online: host.online,
    ...(antivirus === undefined
      ? {}
      : { antivirus: { installed: antivirus.installed, supported: antivirus.supported } }),
  } as ObservedHost;
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
