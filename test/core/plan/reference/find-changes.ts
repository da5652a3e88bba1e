import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { at as now } from '../../../given/fleet.ts';
import { answerRules } from './answer-rules.ts';
import { matchHosts } from './match-hosts.ts';
import type { Report } from './plan-text.ts';
import { type Entry, type GroupGiven, type Host, type PlanningCase } from './planning-case.ts';

interface Claim {
  readonly line: number;
  readonly rule?: number;
}

/** What one host should be, each with the line that asks for it. */
export interface Wish {
  readonly host: Host;
  readonly entry?: Entry;
  readonly name?: (Claim & { readonly to: string; readonly isCompletion?: boolean }) | undefined;
  readonly group?: (Claim & { readonly to: GroupGiven }) | undefined;
  readonly antivirus?: Claim | undefined;
  readonly absent?: Claim | undefined;
}

export interface Change extends Wish {
  readonly rename: string | undefined;
  readonly move: string | undefined;
  readonly installs: boolean;
  readonly deletes: boolean;
}

/** A host whose install was requested, and that does not show it yet. */
export interface Pending extends Wish {
  readonly state: 'in-progress' | 'in-doubt';
  /** Is it worth asking the host to report? */
  readonly asks: boolean;
}

/** What differs between the desired state and these hosts. */
export function findChanges(given: PlanningCase, hosts: readonly Host[], report: Report) {
  const { matches, awaiting, isClaimed } = matchHosts(given, hosts, report);
  const ruled = answerRules(given, report);
  const wishes = [
    ...matches.map(({ entry, host, line }): Wish => {
      if (entry.ensure === 'absent') return { host, entry, absent: { line } };
      const { name, group, antivirus } = ruled(host, entry) ?? {};
      const wish = {
        name: entry.name === undefined ? name : { to: entry.name, line },
        group: entry.group === undefined ? group : { to: entry.group, line },
        antivirus: entry.antivirus ? { line } : antivirus,
      };
      return {
        host,
        entry,
        ...wish,
        ...Object.fromEntries((entry.ignore ?? []).map((each) => [each, undefined])),
      };
    }),
    ...hosts.flatMap((host): readonly Wish[] => {
      const wish = isClaimed(host) ? undefined : ruled(host);
      return wish === undefined ? [] : [{ host, ...wish }];
    }),
  ];
  const rivalsFor = ({ name }: Wish) =>
    wishes.filter((each) => name && each.name && fold(each.name.to) === fold(name.to));
  const hasItsName = ({ host, name }: Wish) => host.name === name?.to;
  const isContested = (wish: Wish) => {
    const rivals = rivalsFor(wish);
    const isPinned = ({ entry }: Wish) => entry === undefined || entry.id !== undefined;
    return rivals.length > 1 && !rivals.every((each) => isPinned(each) && hasItsName(each));
  };
  for (const wish of wishes) {
    const rivals = rivalsFor(wish);
    const alike = hosts.filter(({ name }) => name !== null && fold(name) === fold(wish.name?.to ?? ''));
    const [first] = rivals;
    if (isContested(wish))
      report(
        'error',
        'duplicate-name',
        first?.name?.line,
        rivals.map(({ host }) => host),
      );
    else if (wish.name && rivals.every(hasItsName) && alike.length > 1)
      report('warning', 'live-duplicate', first?.name?.line, alike);
  }
  const pending: Pending[] = [];
  const changes = wishes.flatMap((wish): readonly Change[] => {
    const { host, entry, name, group, absent } = wish;
    const none = { ...wish, rename: undefined, move: undefined, installs: false, deletes: false };
    if (matches.some((match) => match.host === host && match.isRefused)) return [];
    if (absent !== undefined) {
      const isDue = Date.parse(entry?.deleteAfter ?? now) <= Date.parse(now);
      if (!isDue) report('note', 'deletion-not-due', absent.line, [host]);
      return isDue ? [{ ...none, deletes: true }] : [];
    }
    const rename = name === undefined || hasItsName(wish) || isContested(wish) ? undefined : name.to;
    const target = group === undefined ? undefined : findGroup(group.to);
    const move = target === host.group ? undefined : target;
    const installs = needsInstall(wish);
    return rename === undefined && move === undefined && !installs
      ? []
      : [{ ...none, rename, move, installs }];
  });
  return { wishes, changes, pending, awaiting };

  function findGroup(group: GroupGiven): string | undefined {
    if (group === null) return '-1';
    const ids = Object.keys(given.groups).filter((id) => given.groups[id] === group);
    if (typeof group === 'object' && given.groups[group.id] === undefined)
      report('warning', 'unknown-group', undefined);
    if (typeof group === 'object') return group.id;
    if (ids.length !== 1) report('error', ids.length === 0 ? 'unknown-group' : 'ambiguous-group', undefined);
    return ids.length === 1 ? ids[0] : undefined;
  }

  function needsInstall(wish: Wish): boolean {
    const { host, antivirus } = wish;
    if (antivirus === undefined || host.antivirus === 'installed') return false;
    const request = given.requests.find(({ id }) => id === host.id);
    const isRefuted = (request?.refreshed ?? 0) >= 2 && host.antivirus === 'missing';
    if (request !== undefined && (request.state === 'accepted' || !isRefuted)) {
      const state = request.state === 'accepted' ? 'in-progress' : 'in-doubt';
      const asks = state === 'in-doubt' && host.online !== false && request.refreshed === undefined;
      pending.push({ ...wish, state, asks });
      report(state === 'in-doubt' ? 'warning' : 'note', `antivirus-${state}`, antivirus.line, [host]);
      return false;
    }
    if (host.antivirus !== 'missing') report('warning', 'antivirus-unsupported', antivirus.line, [host]);
    else if (request !== undefined) report('note', 'antivirus-requested-again', antivirus.line, [host]);
    return host.antivirus === 'missing';
  }
}
