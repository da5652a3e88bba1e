import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { once } from '../../core/lib/once.ts';
import { count } from '../../core/lib/words.ts';
import { type Account, accountKey } from '../../core/model/account.ts';
import {
  type FactNeeds,
  type Facts,
  type InventoryKind,
  type InventoryRecord,
  inventoryKinds,
} from '../../core/model/facts.ts';
import type { HostId, ListRead } from '../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../core/problem/problem.ts';
import { ageWords } from './age-words.ts';
import { inventoryCachePath } from './cache-path.ts';
import type { CachedRecord, InventoryCache } from './inventory-cache.ts';
import { covers } from './stored-fields.ts';
import { readCache, readCacheText } from './with-cache.ts';

export interface InventoryFactsOptions {
  readonly stateDir: string;
  /** The printed inventory of a shared state, which is then read instead of the folder; null if there is none. */
  readonly shared?: string | null | undefined;
  readonly account: Account;
  /** The inventory fields that expressions read. */
  readonly needs: Pick<FactNeeds, InventoryKind>;
  /** The hosts of the fleet; if absent, those that the latest pull listed. */
  readonly hosts?: readonly HostId[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Older records are an error; in milliseconds, without limit if absent. */
  readonly maxAgeMs?: number;
}

/** The inventory part of the facts. The time of a list is that of its oldest record. */
export type InventoryFacts = Pick<Facts, 'lists' | 'inventoryOf' | 'inventoryAt'>;

/**
 * The cached inventory for planning. This only reads the cache and sends nothing. A cache that is missing, too old or
 * without a needed field is an error with the command to run; its age, and hosts that were not requested yet, are a
 * warning.
 */
export function readInventoryFacts(options: InventoryFactsOptions): Result<InventoryFacts> {
  const kinds = inventoryKinds.filter((kind) => options.needs[kind].length > 0);
  if (kinds.length === 0) return ok(noInventory);
  const cached = readAccountInventory(options, (cache) =>
    kinds.map((kind) => readKind(kind, cache, options)),
  );
  if (!cached.ok) return cached;
  const parts = cached.value ?? kinds.map((kind) => ({ kind, missing: missing(kind, options) }));
  const problems = parts.flatMap((part) => ('missing' in part ? [part.missing] : part.problems));
  if (problems.some(({ severity }) => severity === 'error')) return failed(...problems);
  const known = parts.flatMap((part) => ('missing' in part ? [] : [part]));
  return ok(
    {
      lists: known.map(({ list }) => list),
      inventoryOf: (kind, id) => known.find((part) => part.kind === kind)?.recordOf(id),
      inventoryAt: (kind, id) => known.find((part) => part.kind === kind)?.readAt(id),
    },
    problems,
  );
}

/** Undefined if there is no inventory of the account. */
export function readAccountInventory<T>(
  { stateDir, account, shared }: Pick<InventoryFactsOptions, 'stateDir' | 'account' | 'shared'>,
  read: (cache: InventoryCache) => T,
): Result<T | undefined> {
  if (shared === undefined) return readCache(inventoryCachePath(stateDir, accountKey(account)), read);
  return shared === null ? ok(undefined) : readCacheText(shared, read);
}

const noInventory: InventoryFacts = { lists: [], inventoryOf: () => undefined };

type KindFacts =
  | { readonly kind: InventoryKind; readonly missing: Problem }
  | {
      readonly kind: InventoryKind;
      readonly list: ListRead;
      readonly problems: readonly Problem[];
      readonly recordOf: (id: HostId) => InventoryRecord | undefined;
      readonly readAt: (id: HostId) => string | undefined;
    };

function readKind(kind: InventoryKind, cache: InventoryCache, options: InventoryFactsOptions): KindFacts {
  const ofFleet = new Set(options.hosts ?? cache.names().keys());
  const stored = cache.records(kind).filter(({ hostId }) => ofFleet.has(hostId));
  const usable = stored.filter(({ isAbsent, fields }) => isAbsent || covers(fields, options.needs[kind]));
  if (usable.length === 0) return { kind, missing: missing(kind, options) };
  const oldest = usable.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return {
    kind,
    list: { list: `${kind}-inventory`, at: new Date(oldest).toISOString() },
    problems: problemsOf(kind, usable, ofFleet, options),
    recordOf: lazyRecords(stored),
    readAt: timesOf(stored),
  };
}

function problemsOf(
  kind: InventoryKind,
  usable: readonly CachedRecord[],
  ofFleet: ReadonlySet<HostId>,
  { now, maxAgeMs = Number.POSITIVE_INFINITY, needs }: InventoryFactsOptions,
): readonly Problem[] {
  const hint = pullHint(kind, needs[kind]);
  const old = usable.filter(({ at }) => now - at > maxAgeMs);
  if (old.length > 0) {
    const oldest = old.reduce((least, { at }) => Math.min(least, at), now);
    return [
      problem(
        'inventory-old',
        `the ${kind} inventory of ${count(old.length, 'host')} is older than --max-inventory-age allows: the oldest is ${ageWords(now - oldest)} old`,
        { hint, hostIds: old.map(({ hostId }) => hostId) },
      ),
    ];
  }
  const known = new Set(usable.map(({ hostId }) => hostId));
  const unasked = [...ofFleet].filter((id) => !known.has(id));
  const without = usable.filter(({ isAbsent }) => isAbsent).length;
  const oldest = usable.reduce((least, { at }) => Math.min(least, at), now);
  const parts = [
    `the oldest ${kind} inventory is from ${ageWords(now - oldest)} ago`,
    ...(without === 0 ? [] : [`${count(without, 'host')} ${without === 1 ? 'has' : 'have'} none`]),
    ...(unasked.length === 0
      ? []
      : [`${count(unasked.length, 'host')} ${unasked.length === 1 ? 'has' : 'have'} not been fetched yet`]),
  ];
  return [
    {
      ...warning('inventory-age', parts.join('; ')),
      severity: unasked.length === 0 ? 'note' : 'warning',
      ...(unasked.length === 0 ? {} : { hint, hostIds: unasked }),
    },
  ];
}

function missing(kind: InventoryKind, { needs }: InventoryFactsOptions): Problem {
  const fields = needs[kind].join(', ');
  return problem(
    'inventory-missing',
    `the desired state reads the ${kind} inventory (${fields}), which has not been fetched yet`,
    {
      hint: pullHint(kind, needs[kind]),
    },
  );
}

/** The command that fetches the missing fields. */
function pullHint(kind: InventoryKind, fields: readonly string[]): string {
  return `rampart hosts inventory pull --${kind} --fields ${fields.join(',')}`;
}

function timesOf(stored: readonly CachedRecord[]): (id: HostId) => string | undefined {
  const times = once(() => new Map(stored.map(({ hostId, at }) => [hostId, at])));
  return (id) => {
    const at = times().get(id);
    return at === undefined ? undefined : new Date(at).toISOString();
  };
}

/** Records are parsed on first use, because most rules read few hosts. */
function lazyRecords(stored: readonly CachedRecord[]): (id: HostId) => InventoryRecord | undefined {
  const texts = new Map(stored.flatMap(({ hostId, json }) => (json === null ? [] : [[hostId, json]])));
  const parsed = new Map<HostId, InventoryRecord>();
  return (id) => {
    const known = parsed.get(id);
    if (known !== undefined) return known;
    const text = texts.get(id);
    if (text === undefined) return undefined;
    const record = parseExactJsonText(text) as InventoryRecord;
    parsed.set(id, record);
    return record;
  };
}
