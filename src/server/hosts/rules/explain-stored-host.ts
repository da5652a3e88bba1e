import type { Desired, Rule } from '../../../core/model/desired.ts';
import { type Entry, entryTable } from '../../../core/model/entry.ts';
import { type AccountFacts, noFacts } from '../../../core/model/facts.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../../core/model/temporary-name.ts';
import { type ExplainedAttribute, explain } from '../../../core/plan/explain.ts';
import { failed, ok, type Place, problem, type Result } from '../../../core/problem/problem.ts';
import type { AccountRecord } from '../../accounts/records/account-record.ts';
import type { HostWithFacts } from '../records/hosts.ts';
import { storedFleet } from './stored-fleet.ts';

/** The requests of the desired state for one host, and their origin. */
export interface HostClaims {
  readonly attributes: readonly AttributeClaim[];
}

export type AttributeClaim = ExplainedAttribute & {
  /** A rule or a policy that may decide the attribute instead: it depends on data that the server does not store. */
  readonly undecided?: { readonly why: string; readonly place: Place };
};

/** Names that entries have or had for one host. */
const mostNames = 1_000;

export interface HostExplainerParts {
  /** Loads the desired state of an account at the commit of its last check. */
  readonly load: () => Promise<Result<Desired>>;
  /** The hosts of the account with exactly these names. */
  readonly named: (names: readonly string[]) => Promise<readonly HostWithFacts[]>;
  readonly facts: AccountFacts;
  /** An RFC 3339 time. */
  readonly now: string;
}

/**
 * Explains hosts from their records in the store, without a request to their service. The last desired state is cached,
 * because someone who looks at one host often looks at another one of the same account next.
 */
export function createHostExplainer() {
  let kept: { readonly key: string; readonly loading: Promise<Result<Desired>> } | undefined;

  const load = (account: AccountRecord, parts: HostExplainerParts): Promise<Result<Desired>> => {
    const key = JSON.stringify([account.name, account.commit]);
    if (kept?.key === key) return kept.loading;
    const loading = parts.load();
    kept = { key, loading };
    const forget = () => {
      if (kept?.loading === loading) kept = undefined;
    };
    loading.then((loaded) => {
      if (!loaded.ok) forget();
    }, forget);
    return loading;
  };

  return async (
    host: HostWithFacts,
    account: AccountRecord,
    parts: HostExplainerParts,
  ): Promise<Result<HostClaims>> => {
    const loaded = await load(account, parts);
    return loaded.ok ? claimsOn(host, account, loaded.value, parts) : loaded;
  };
}

async function claimsOn(
  host: HostWithFacts,
  account: AccountRecord,
  desired: Desired,
  { named, facts, now }: HostExplainerParts,
): Promise<Result<HostClaims>> {
  const entries = entriesFor(host, desired);
  const names = new Set(entries.flatMap(namesOf));
  if (names.size > mostNames) return failed(problem('configuration', 'too many entries have this name'));
  const others = await named([...names]);
  const observed = storedFleet([host, ...others.filter(({ host_id }) => host_id !== host.host_id)]);
  const unread = desired.rules.filter((rule) => unstoredOf(rule).length > 0);
  const explanation = explain(
    host.host_id as HostId,
    {
      desired: {
        ...desired,
        ...entryTable(entries),
        rules: desired.rules.filter((rule) => !unread.includes(rule)),
      },
      observed,
      facts: { ...noFacts, account: facts },
      account: { companyId: account.companyId, service: account.service },
      now,
    },
    { steps: [], problems: [] },
  );
  if (explanation === undefined) throw new Error('the list of hosts does not contain the host to explain');
  const hasEntry = explanation.entry !== undefined;
  return ok({
    attributes: explanation.attributes.map((each) => {
      const undecided = undecidedBy(each, unread, { hasEntry, desired });
      return undecided === undefined ? each : { ...each, undecided };
    }),
  });
}

/** The entries that can mean this host: any other entry means another host, or none. */
function entriesFor({ host_id: hostId, name }: HostWithFacts, desired: Desired): readonly Entry[] {
  const temporary = readTemporaryName(name);
  const found: Entry[] = [];
  for (let index = 0; index < desired.count; index += 1) {
    const id = desired.idAt(index);
    if (id !== undefined) {
      if (id === hostId) found.push(desired.at(index));
      continue;
    }
    if (temporary === undefined && desired.isPlainAt(index) && desired.nameAt(index) !== name) continue;
    const entry = desired.at(index);
    const kind = entry.ensure === 'absent' ? 'deletion' : 'rename';
    const means = (each: string) =>
      each === name ||
      (temporary !== undefined && isTemporaryNameFor(temporary, kind, hostId as HostId, each));
    if (namesOf(entry).some(means)) found.push(entry);
  }
  return found;
}

/** An entry with an id means that host, whatever names it has. */
function namesOf({ id, name, previously }: Entry): readonly string[] {
  if (id !== undefined) return [];
  return name === undefined ? previously : [name, ...previously];
}

/** What the store keeps of each host, and the configuration of its account. */
const stored: ReadonlySet<string> = new Set([
  'host.id',
  'host.name',
  'host.group',
  'host.online',
  'host.antivirus',
  'host.antivirus.installed',
  'host.antivirus.supported',
]);

function unstoredOf({ when, rename }: Rule): readonly string[] {
  return [...when.reads, ...(rename?.reads ?? [])].filter(
    (path) => !stored.has(path) && !path.startsWith('account.'),
  );
}

/** A rule that can't be evaluated here may come before the one that decides. An entry takes precedence over all rules. */
function undecidedBy(
  { attribute, decidedBy, ignored }: ExplainedAttribute,
  unread: readonly Rule[],
  { hasEntry, desired }: { readonly hasEntry: boolean; readonly desired: Desired },
): AttributeClaim['undecided'] {
  if (decidedBy?.kind === 'entry' || ignored) return undefined;
  const asks = (rule: Rule) => {
    // A deletion leaves nothing to decide about the other attributes, and rules delete no host with an entry.
    if (rule.ensure !== undefined && !hasEntry && (attribute === 'ensure' || rule.ensure === 'absent'))
      return true;
    return (
      (attribute === 'name' && rule.rename !== undefined) ||
      (attribute === 'group' && rule.group !== undefined) ||
      (attribute === 'antivirus' && rule.antivirus)
    );
  };
  const index =
    decidedBy?.kind === 'rule'
      ? desired.rules.findIndex(({ name }) => name === decidedBy.rule)
      : desired.rules.length;
  const rule = unread.find((each) => each.index < index && asks(each));
  if (rule !== undefined) {
    const [path] = unstoredOf(rule);
    return {
      why: `rule "${rule.name}" reads ${path}, which the server does not store`,
      place: desired.placeOfRule(rule.index),
    };
  }
  const policy = desired.policy.groups.find(
    ({ group, exclusive, othersTo }) => exclusive && othersTo !== undefined && group.kind === 'id',
  );
  if (attribute !== 'group' || decidedBy !== undefined || policy === undefined) return undefined;
  return {
    why: 'a policy names its group by id, which the server does not store',
    place: policy.place,
  };
}
