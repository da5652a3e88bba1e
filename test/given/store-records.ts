import type { ConfiguredAccount } from '../../src/server/accounts/records/account-record.ts';
import type {
  CheckedCause,
  CheckedDrift,
  CheckedHost,
  CheckRecord,
} from '../../src/server/accounts/records/check-record.ts';
import type { NewPlan } from '../../src/server/plans/records/plan-record.ts';

export function givenAccount(name: string, parts: Partial<ConfiguredAccount> = {}): ConfiguredAccount {
  return {
    name,
    companyId: '42',
    service: 'https://service.example',
    labels: { region: 'eu' },
    mode: 'propose',
    ...parts,
  };
}

export const givenCause: CheckedCause = {
  id: 'cause-1',
  kind: 'fleet',
  title: 'Someone renamed hosts',
  rule: 'naming',
  place: { file: 'fleet.yaml', line: 3 },
};

export function givenHosts(count: number, prefix = 'host'): readonly CheckedHost[] {
  return Array.from({ length: count }, (_, index) => ({
    hostId: String(index + 1),
    name: `${prefix}-${index + 1}`,
    group: index % 2 === 0 ? 'Berlin' : 'Paris',
    state: index % 3 === 0 ? 'offline' : 'online',
    facts: { online: index % 3 !== 0 },
  }));
}

export function givenDrift(hostId: string, parts: Partial<CheckedDrift> = {}): CheckedDrift {
  return {
    hostId,
    name: `host-${hostId}`,
    attribute: 'name',
    desired: 'wanted',
    last: 'wanted',
    live: `host-${hostId}`,
    changed: 'fleet',
    cause: givenCause.id,
    ignored: false,
    ...parts,
  };
}

/** A check that read these hosts. */
export function givenCheck(
  account: string,
  hosts: readonly CheckedHost[],
  parts: Partial<CheckRecord> & { readonly drift?: readonly CheckedDrift[] } = {},
): CheckRecord {
  const { drift = [], ...rest } = parts;
  return {
    account,
    health: drift.length > 0 ? 'drifted' : 'converged',
    fleet: { digest: JSON.stringify(hosts), hosts: () => hosts, count: hosts.length, drift },
    causes: drift.length > 0 ? [givenCause] : [],
    commit: 'c0ffee',
    changes: drift.length,
    irreversible: 0,
    failure: null,
    nextCheckAt: null,
    ...rest,
  };
}

export function givenNewPlan(account: string, parts: Partial<NewPlan> = {}): NewPlan {
  return {
    account,
    checksum: 'checksum-1',
    document: '{"steps":[]}',
    shape: { effects: [{ kind: 'rename', of: null, hosts: 1, first: ['host-1'] }] },
    source: 'files',
    commit: 'c0ffee',
    author: 'ada',
    expiresAt: new Date(Date.now() + 3_600_000),
    counts: { rename: 1, move: 0, delete: 0, install: 0, refresh: 0 },
    changes: 1,
    irreversible: 0,
    calls: 1,
    required: { approvals: 1, notAuthor: true, numbers: [] },
    state: 'waiting',
    ...parts,
  };
}

export const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;
export const bob = { kind: 'person', id: 'bob', name: 'Bob' } as const;

/** The names on all pages of a list, in their order. */
export async function allPages<Item>(
  read: (cursor: string | undefined) => Promise<{
    readonly ok: boolean;
    readonly value?: { readonly items: readonly Item[]; readonly next?: string };
  }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    if (page.value === undefined) throw new Error('the page is a failure');
    items.push(...page.value.items);
    cursor = page.value.next;
    if (cursor === undefined) return items;
  }
}
