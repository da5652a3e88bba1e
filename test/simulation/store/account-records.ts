import { sha256Hex } from '../../../src/core/lib/hash.ts';
import type { StandingFailure } from '../../../src/server/accounts/decisions/account-state.ts';
import type { WaitingAccounts } from '../../../src/server/accounts/decisions/waiting-for.ts';
import type {
  AccountRecord,
  ConfiguredAccount,
  FoundAccount,
} from '../../../src/server/accounts/records/account-record.ts';
import type {
  CheckedDrift,
  CheckRecord,
  CheckWritten,
} from '../../../src/server/accounts/records/check-record.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { holdsAt } from './pause-records.ts';
import { openRunOf, waitsForOf } from './run-records.ts';
import { rowsOf } from './table.ts';
import type { AccountCause, AccountRow, Tables } from './tables.ts';

type Simulated =
  | 'sync'
  | 'find'
  | 'claim'
  | 'lock'
  | 'schedules'
  | 'recordCheck'
  | 'setHealth'
  | 'waiting'
  | 'held'
  | 'setHold'
  | 'setNextCheck';

const nothing: CheckWritten = { hosts: 0, drift: 0, causes: 0, changed: false };

export function accountsIn(tables: Tables, now: () => number): Pick<Store['accounts'], Simulated> {
  const { accounts } = tables;
  const time = () => new Date(now());
  const configured = (name: string) => {
    const row = accounts.get(name);
    return row?.removedAt === null ? row : undefined;
  };
  const change = (row: AccountRow, parts: Partial<AccountRow>) =>
    accounts.set(row.name, { ...row, ...parts, version: row.version + 1 });
  return {
    async sync(given) {
      for (const account of given) accounts.set(account.name, newAccount(account));
    },
    async find(name, visible): Promise<FoundAccount | undefined> {
      const row = visible === 'all' || visible.includes(name) ? configured(name) : undefined;
      if (row === undefined) return undefined;
      const pauses = rowsOf(tables.pauses);
      return {
        ...recordOf(row, tables),
        readAt: time(),
        hasPauses: pauses.some((each) => holdsAt(each, now())),
      };
    },
    async claim(name, version) {
      const row = configured(name);
      if (row?.version !== version) return false;
      change(row, {});
      return true;
    },
    async lock() {},
    async waiting() {
      const groups = new Map<string, WaitingAccounts>();
      for (const row of rowsOf(accounts)) {
        if (row.removedAt !== null || row.health !== 'waiting') continue;
        const { plan, runState, runWaitsFor } = recordOf(row, tables);
        const standing = { plan: plan && { state: plan.state }, runState, runWaitsFor };
        const key = JSON.stringify(standing);
        groups.set(key, { ...standing, names: [...(groups.get(key)?.names ?? []), row.name] });
      }
      return [...groups.values()];
    },
    async held() {
      const held = rowsOf(accounts).filter((row) => {
        const { plan, runState, runWaitsFor } = recordOf(row, tables);
        if (runState !== null) return runWaitsFor === 'pause';
        const approvals = tables.plans.get(plan?.id ?? '')?.plan.approvals ?? [];
        return plan?.state === 'approved' && row.failure === null && approvals.at(-1)?.via !== 'rollout';
      });
      return held.map(({ name }) => name).toSorted();
    },
    async schedules() {
      return rowsOf(accounts)
        .filter(({ removedAt }) => removedAt === null)
        .map(({ name, lastCheckAt, nextCheckAt, failure, health }) => ({
          name,
          lastCheckAt,
          nextCheckAt,
          failure,
          health,
          readAt: time(),
        }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    },
    recordCheck: async (check) => recordCheck(check, configured(check.account), tables, time()),
    async setHealth(name, health) {
      const row = configured(name);
      if (row !== undefined && row.health !== health) change(row, { health, since: time() });
    },
    async setHold(names, hold) {
      for (const row of names.flatMap((name) => accounts.get(name) ?? []))
        if (JSON.stringify(row.hold) !== JSON.stringify(hold)) change(row, { hold });
    },
    async setNextCheck(times) {
      for (const [name, nextCheckAt] of times) {
        const row = accounts.get(name);
        if (row !== undefined) accounts.set(name, { ...row, nextCheckAt });
      }
    },
  };
}

function newAccount(account: ConfiguredAccount): AccountRow {
  return {
    ...account,
    health: null,
    since: null,
    hosts: null,
    drifted: null,
    commit: null,
    lastCheckAt: null,
    nextCheckAt: null,
    failure: null,
    hold: null,
    checkBeganAt: null,
    version: 1,
    changes: 0,
    irreversible: 0,
    fleetDigest: null,
    driftDigest: null,
    detail: null,
    removedAt: null,
    hostRows: new Map(),
    drift: new Map(),
    causes: new Map(),
  };
}

function recordOf(row: AccountRow, tables: Tables): AccountRecord {
  const plan = tables.plans.get(tables.openPlans.get(row.name) ?? '')?.plan;
  const run = openRunOf(row.name, tables);
  const { name, companyId, service, labels, mode, health, since, hosts, drifted, commit } = row;
  const { lastCheckAt, nextCheckAt, failure, hold, checkBeganAt, version } = row;
  return {
    name,
    companyId,
    service,
    labels,
    mode,
    health,
    hasIgnored: health === 'paused' && [...row.drift.values()].some(({ ignored }) => ignored),
    since,
    hosts,
    drifted,
    commit,
    lastCheckAt,
    nextCheckAt,
    failure,
    hold,
    checkBeganAt,
    version,
    plan:
      plan === undefined
        ? null
        : {
            id: plan.id,
            checksum: plan.checksum,
            changes: plan.changes,
            irreversible: plan.irreversible,
            state: plan.state as 'waiting' | 'approved' | 'running',
          },
    run: run?.id ?? null,
    runState: (run?.state as AccountRecord['runState']) ?? null,
    runWaitsFor: run === undefined ? null : waitsForOf(run),
  };
}

function recordCheck(
  check: CheckRecord,
  row: AccountRow | undefined,
  { accounts }: Tables,
  now: Date,
): CheckWritten {
  if (row === undefined || !isOfTenant(check, row) || !isNewest(check, row, now)) return nothing;
  if (check.version !== undefined && row.version !== check.version) return { ...nothing, isOutdated: true };
  const { fleet } = check;
  const drift = fleet && uniqueDrift(fleet.drift);
  const driftDigest = sha256Hex(JSON.stringify([drift && [...drift.values()], check.causes]));
  const hostsDiffer = fleet !== undefined && fleet.digest !== row.fleetDigest;
  const driftDiffers = driftDigest !== row.driftDigest;
  const hostRows = hostsDiffer ? hostsAfter(row, fleet) : row.hostRows;
  const causes = driftDiffers ? causesAfter(row, check, drift) : row.causes;
  const driftRows = driftDiffers && drift !== undefined ? drift : row.drift;
  const written = {
    hosts: differences(row.hostRows, hostRows),
    drift: differences(row.drift, driftRows),
    causes: differences(row.causes, causes),
  };
  const failure = standing(check, row, now);
  const changed =
    written.hosts + written.causes + written.drift > 0 ||
    row.health !== check.health ||
    row.changes !== check.changes ||
    row.irreversible !== check.irreversible ||
    row.commit !== check.commit ||
    row.failure?.message !== failure?.message ||
    row.failure?.retryAt !== failure?.retryAt;
  accounts.set(row.name, {
    ...row,
    since: row.health === check.health ? row.since : now,
    health: check.health,
    hosts: fleet?.count ?? row.hosts,
    drifted: drift === undefined ? row.drifted : driftedHosts(drift),
    changes: check.changes,
    irreversible: check.irreversible,
    commit: check.commit,
    lastCheckAt: now,
    nextCheckAt: check.nextCheckAt,
    checkBeganAt: check.beganAt ?? row.checkBeganAt,
    failure,
    fleetDigest: fleet?.digest ?? row.fleetDigest,
    driftDigest,
    detail: check.detail ?? row.detail,
    version: row.version + (changed ? 1 : 0),
    hostRows,
    drift: driftRows,
    causes,
  });
  return {
    ...written,
    changed,
    ...(row.health === check.health
      ? {}
      : { healthChange: { from: row.health, to: check.health, failure: failure?.message ?? null } }),
  };
}

function isOfTenant({ tenant }: CheckRecord, row: AccountRow): boolean {
  return tenant === undefined || (tenant.companyId === row.companyId && tenant.service === row.service);
}

/** No check is written that began at this time or later. A clock may have been set back. */
function isNewest({ beganAt }: CheckRecord, { checkBeganAt }: AccountRow, now: Date): boolean {
  return checkBeganAt === null || beganAt === undefined || checkBeganAt < beganAt || checkBeganAt > now;
}

function standing(
  { failure }: CheckRecord,
  { failure: earlier }: AccountRow,
  now: Date,
): StandingFailure | null {
  if (failure === null) return null;
  return {
    ...failure,
    since: earlier?.since ?? now.toISOString(),
    attempts: (earlier?.attempts ?? 0) + 1,
  };
}

function uniqueDrift(drift: readonly CheckedDrift[]): ReadonlyMap<string, CheckedDrift> {
  return new Map(drift.map((each) => [`${each.hostId} ${each.attribute}`, each]));
}

function driftedHosts(drift: ReadonlyMap<string, CheckedDrift>): number {
  return new Set([...drift.values()].filter(({ ignored }) => !ignored).map(({ hostId }) => hostId)).size;
}

function hostsAfter(
  { hostRows }: AccountRow,
  { hosts, unreadable = [] }: NonNullable<CheckRecord['fleet']>,
): AccountRow['hostRows'] {
  const kept = [...hostRows].filter(([id]) => unreadable === 'any' || unreadable.includes(id));
  const found = hosts().map((host) => {
    const facts = host.facts ?? hostRows.get(host.hostId)?.facts;
    return [host.hostId, { ...host, ...(facts === undefined ? {} : { facts }) }] as const;
  });
  return new Map([...kept, ...found]);
}

function causesAfter(
  row: AccountRow,
  { causes, origin }: CheckRecord,
  drift: ReadonlyMap<string, CheckedDrift> | undefined,
): ReadonlyMap<string, AccountCause> {
  const rows = [...(drift?.values() ?? [])];
  const counted = (id: string) =>
    new Set(rows.filter(({ cause, ignored }) => cause === id && !ignored).map(({ hostId }) => hostId)).size;
  const isOnlyIgnored = (id: string) => counted(id) === 0 && rows.some(({ cause }) => cause === id);
  const kept = [...row.causes].filter(([, { kind }]) => drift === undefined && kind !== 'failure');
  const found = causes
    .filter(({ id }) => !isOnlyIgnored(id))
    .map(({ id, kind, count = counted(id) }): readonly [string, AccountCause] => {
      const known = row.causes.get(id);
      const first = kind === 'file' ? (origin ?? null) : null;
      return [id, { kind, hosts: count, origin: known === undefined ? first : known.origin }];
    });
  return new Map([...kept, ...found]);
}

/** The rows that were inserted, changed or deleted. */
function differences<Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): number {
  if (before === after) return 0;
  const gone = [...before.keys()].filter((key) => !after.has(key)).length;
  const put = [...after].filter(
    ([key, row]) => JSON.stringify(before.get(key)) !== JSON.stringify(row),
  ).length;
  return gone + put;
}
