import { hash } from 'node:crypto';
import type { AccountCheck, DriftedAttribute } from '../../../accounts/engine/check-account.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { printable } from '../../../core/lib/printable.ts';
import { count } from '../../../core/lib/words.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { Facts } from '../../../core/model/facts.ts';
import type { HostId, Observed } from '../../../core/model/observed.ts';
import { allowsAll, countChanges, countIrreversible } from '../../../core/model/policy.ts';
import type { TableCoverage } from '../../../core/plan/coverage.ts';
import { type Problem, problem, shownPlace } from '../../../core/problem/problem.ts';
import { gapWords } from '../../../output/review/coverage-columns.ts';
import { customFieldFact, serialFact } from '../../hosts/records/host-search.ts';
import type { Failure } from '../decisions/account-state.ts';
import type { CheckedCause, CheckedHost, CheckRecord } from '../records/check-record.ts';

/**
 * Why the list can't contain the whole fleet. Nothing of such a check is recorded as the fleet: an empty or incomplete list
 * does not prove that hosts were deleted. `seen` is the number of hosts that the last good check saw.
 */
export function incompleteList(
  { plan, observed }: AccountCheck,
  { limits: { missing } }: Desired,
  seen: number,
): readonly Problem[] {
  const found = plan.problems.filter(
    ({ code, severity }) => code === 'hosts-missing' && severity === 'error',
  );
  if (found.length > 0 || observed.count > 0 || seen === 0 || allowsAll(missing, seen)) return found;
  return [
    problem('hosts-missing', `the list has no hosts, although the last check saw ${count(seen, 'host')}`, {
      hint: 'check the account and the service; if the account really has no hosts, set policy.limits.missing to 100%',
      policy: 'limits.missing',
    }),
  ];
}

/** The part of a check's record that its read shows. */
export function checkRecord(
  { observed, facts, drift, plan, coverage }: AccountCheck,
  isIgnored: (each: DriftedAttribute) => boolean,
): Pick<CheckRecord, 'fleet' | 'causes' | 'changes' | 'irreversible'> {
  const { summary } = plan;
  const { unreadable = [] } = observed;
  const ids = unreadable.flatMap(({ id }) => id ?? []);
  return {
    fleet: {
      digest: digestOf(observed, facts),
      hosts: () => hostsIn(observed, facts),
      count: observed.count + unreadable.length,
      ...(unreadable.length === 0 ? {} : { unreadable: ids.length < unreadable.length ? 'any' : ids }),
      drift: drift.map((each) => {
        const { cause, ...values } = each;
        return { ...values, cause: cause.id, ignored: isIgnored(each) };
      }),
    },
    causes: [...causesOf(drift), ...coverage.flatMap(causesOfTable)],
    changes: countChanges(summary),
    irreversible: countIrreversible(summary),
  };
}

/** Equal for the same hosts with the same values, in the same order. */
function digestOf(observed: Observed, facts: Facts): string {
  const values: unknown[] = [...groupNames(observed)];
  for (const { position, id } of observed.unreadable ?? []) values.push(['unreadable', id ?? position]);
  for (let index = 0; index < observed.count; index += 1) {
    const { id, name, groupId, online, antivirus } = observed.at(index);
    values.push(id, groupId, online, name, factsOf(antivirus, facts, id));
  }
  return hash('sha256', JSON.stringify(values));
}

/** Each host once: lists have shown an id twice. */
function hostsIn(observed: Observed, facts: Facts): readonly CheckedHost[] {
  const names = groupNames(observed);
  const hosts = new Map<string, CheckedHost>();
  for (let index = 0; index < observed.count; index += 1) {
    const { id, name, groupId, online, antivirus } = observed.at(index);
    const shown = factsOf(antivirus, facts, id);
    hosts.set(id, {
      hostId: id,
      name,
      group: names.get(groupId) ?? null,
      state: online ? 'online' : 'offline',
      ...(shown === undefined ? {} : { facts: shown }),
    });
  }
  return [...hosts.values()];
}

/** Facts that the console shows and that searches find; undefined if the check read none. */
function factsOf(antivirus: Antivirus, facts: Facts, id: HostId): CheckedHost['facts'] {
  const fields = facts.customFieldsOf(id);
  const serial = facts.inventoryOf('hardware', id)?.[serialFact];
  if (antivirus === undefined && fields === undefined && typeof serial !== 'string') return undefined;
  return {
    ...(antivirus === undefined ? {} : { antivirus: antivirusWord(antivirus) }),
    ...(typeof serial === 'string' ? { [serialFact]: serial } : {}),
    ...Object.fromEntries(
      Object.entries(fields ?? {}).map(([category, value]) => [`${customFieldFact}${category}`, value]),
    ),
  };
}

type Antivirus = ReturnType<Observed['at']>['antivirus'];

function groupNames({ groups }: Observed): ReadonlyMap<string, string | null> {
  return new Map(groups.map(({ id, name }) => [id, name]));
}

function antivirusWord(fact: NonNullable<Antivirus>): string {
  return fact.installed ? 'installed' : fact.supported ? 'not installed' : 'unsupported';
}

function causesOf(drift: readonly DriftedAttribute[]): readonly CheckedCause[] {
  const causes = new Map<string, CheckedCause>();
  for (const { cause } of drift) {
    const { id, kind, title, rule, file, line } = cause;
    if (causes.has(id)) continue;
    causes.set(id, {
      id,
      kind,
      title,
      ...(rule === undefined ? {} : { rule }),
      ...(file === undefined ? {} : { place: { file, ...(line === undefined ? {} : { line }) } }),
    });
  }
  return [...causes.values()];
}

/** The ways in which a table and the fleet disagree. The same table in the files of several accounts is one cause. */
function causesOfTable({ table, findings }: TableCoverage): readonly CheckedCause[] {
  return [...Map.groupBy(findings, ({ gap }) => gap)].map(([gap, found]) => ({
    id: sha256Hex(JSON.stringify(['register', table, gap])).slice(0, 16),
    kind: found[0]?.host === undefined ? 'assets' : 'register',
    title: `table "${table}": ${gapWords[gap][1]}`,
    count: found.length,
  }));
}

/** The first error, for people: without secrets, and short. */
export function failureOf(problems: readonly Problem[], redact: (text: string) => string): Failure {
  const [first] = [...problems.filter(({ severity }) => severity === 'error'), ...problems];
  if (first === undefined) return { code: 'unforeseen', message: 'the check failed without a message' };
  const { code, message, hint, place } = first;
  const short = (text: string) => redact(text).slice(0, mostText);
  return {
    code,
    message: short(message),
    ...(hint === undefined ? {} : { hint: short(hint) }),
    ...(place === undefined ? {} : { place: shownPlace(place) }),
  };
}

/** Characters of a message in the database. */
const mostText = 2_000;

/** Titles that do not contain an action of the service: accounts fail alike in different ones. */
const serviceTitles: Readonly<Record<string, (service: string) => string>> = {
  'not-authenticated': (service) => `The service at ${service} does not accept the key`,
  forbidden: (service) => `The service at ${service} denies this key permission`,
  'server-error': (service) => `The service at ${service} responds with a server error`,
  'rate-limited': (service) => `The service at ${service} refuses calls because of its rate limit`,
  network: (service) => `The service at ${service} does not respond`,
  'timed-out': (service) => `The service at ${service} does not respond in time`,
};

/** Accounts at one service that fail alike have one cause. */
export function causeOfFailure({ code, message, place }: Failure, service: string): CheckedCause {
  const where = place === undefined ? service : place.file;
  const id = sha256Hex(JSON.stringify(['failure', code, where])).slice(0, 16);
  const title = serviceTitles[code]?.(printable(service)) ?? message;
  return { id, kind: 'failure', title, ...(place === undefined ? {} : { place }) };
}
