import type { Desired } from '../../../src/core/model/desired.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { authorOf } from '../script/people.ts';
import type { DesiredHost, SimulatedAccount } from '../script/script.ts';

/** The Git repository with the desired states of all accounts. */
export interface Repository {
  readonly head: string;
  /** Whether nobody can fetch it. */
  readonly isAway: boolean;
  lose(isAway: boolean): void;
  commit(account: string, author: string, hosts: readonly DesiredHost[]): void;
  /** What a commit asks of the hosts of an account. */
  hostsAt(commit: string, account: string): readonly DesiredHost[];
  desiredAt(commit: string, account: SimulatedAccount): Desired;
  authorOf(commit: string): string | null;
}

interface Commit {
  readonly author: string | null;
  readonly hosts: ReadonlyMap<string, readonly DesiredHost[]>;
}

export function createRepository(): Repository {
  const commits: Commit[] = [{ author: null, hosts: new Map() }];
  const desired = new Map<string, Desired>();
  const indexOf = (commit: string) => Number(commit.slice(1));
  const at = (commit: string): Commit => commits[indexOf(commit)] as Commit;
  let isAway = false;
  const repository: Repository = {
    get isAway() {
      return isAway;
    },
    lose: (given) => (isAway = given),
    get head() {
      return `c${commits.length - 1}`;
    },
    commit(account, author, hosts) {
      const last = commits.at(-1) as Commit;
      const before = last.hosts.get(account) ?? [];
      commits.push({
        author: authorOf(author),
        hosts: new Map(last.hosts).set(account, merged(before, hosts)),
      });
    },
    hostsAt: (commit, account) => at(commit).hosts.get(account) ?? [],
    desiredAt(commit, account) {
      const key = `${commit} ${account.name}`;
      const known = desired.get(key);
      if (known !== undefined) return known;
      const made = givenDesired(
        repository
          .hostsAt(commit, account.name)
          .map(({ id, name, group, isAbsent, hasAntivirus = false }) => ({
            id,
            ...(name === undefined ? {} : { name }),
            ...(group === undefined ? {} : { group }),
            antivirus: hasAntivirus,
            ...(isAbsent === true ? { ensure: 'absent' as const } : {}),
          })),
        { ...noLimits, rename: { kind: 'count', count: account.mostRenames } },
      );
      desired.set(key, made);
      return made;
    },
    authorOf: (commit) => at(commit).author,
  };
  return repository;
}

/** A later entry replaces one of the same host, or with the same name: no file requests one name twice. */
function merged(before: readonly DesiredHost[], more: readonly DesiredHost[]): readonly DesiredHost[] {
  const hosts = new Map(before.map((each) => [each.id, each]));
  for (const each of more) {
    for (const other of hosts.values()) {
      if (other.name === undefined || other.name !== each.name || other.id === each.id) continue;
      const { name: _, ...rest } = other;
      hosts.set(other.id, rest);
    }
    hosts.set(each.id, each);
  }
  return [...hosts.values()].filter(
    ({ name, group, isAbsent, hasAntivirus }) =>
      name !== undefined || group !== undefined || isAbsent === true || hasAntivirus === true,
  );
}
