import { count, grouped } from '../../core/lib/words.ts';
import { type HostChange } from './host-changes.ts';
import type { Part } from './markdown-budget.ts';
import { details, folding, mostUnfolded, type Rest } from './markdown-folding.ts';
import { alikeText, changeTable, markdownChanges, type PlaceWords } from './markdown-hosts.ts';
import type { MarkdownSection } from './markdown-section.ts';
import { isIrreversible, needsAttention } from './reviewed-host.ts';
import { changeCountWords, type PlanRows } from './rows.ts';

/** Deletions that need no attention are folded if there are many, so that the others stay visible. */
export function deletionParts(
  changes: readonly HostChange[],
  checked: ReadonlySet<HostChange>,
  place: PlaceWords,
  rest: Rest,
): readonly Part[] {
  const hosts = changes.filter(isDeletion);
  if (hosts.length === 0) return [];
  const open = `### Delete ${count(hosts.length, 'host')} (can't be undone)`;
  const kept = (frame: Pick<MarkdownSection, 'open' | 'close'>, rows: readonly HostChange[]): Part => {
    const section = { ...frame, blocks: [changeTable(rows, place)], rest: rest('deletion') };
    if (rows.length <= mostInSight) return { kind: 'kept', section, short: section, isFirst: true };
    const short = {
      ...section,
      open: `${frame.open}\n\n${alikeText(rows, place)}`,
      blocks: [markdownChanges(rows)],
    };
    return { kind: 'kept', section, short };
  };
  const { marked, plain } = byAttention(hosts, checked);
  if (plain.length <= mostInSight) return [kept({ open }, hosts)];
  const areOffline = plain.every(({ online }) => online === 'offline');
  const noun = marked.length === 0 ? 'host' : 'other host';
  const remark = plain.some(needsAttention) ? '' : ' without a remark';
  const title = `${count(plain.length, noun)}${remark}${areOffline ? ', all offline' : ''}`;
  return [
    ...(marked.length === 0 ? [] : [kept({ open }, marked)]),
    kept(
      { open: `${marked.length === 0 ? `${open}\n\n` : ''}${details(title)}`, close: '</details>' },
      plain,
    ),
  ];
}

/** Rows that a reviewer should look at are not folded up to this number, and neither are as many deletions. */
const mostInSight = 25;

interface ByAttention {
  readonly marked: readonly HostChange[];
  readonly plain: readonly HostChange[];
}

function byAttention(hosts: readonly HostChange[], checked: ReadonlySet<HostChange>): ByAttention {
  const [marked, plain] = [true, false].map((is) => hosts.filter((each) => checked.has(each) === is));
  return { marked: marked ?? [], plain: plain ?? [] };
}

export function installParts(changes: readonly HostChange[], place: PlaceWords, rest: Rest): readonly Part[] {
  const hosts = changes.filter(isInstall);
  if (hosts.length === 0) return [];
  const open = `### Install anti-virus on ${count(hosts.length, 'host')} (can't be undone)`;
  return [{ kind: 'first', section: { open, blocks: [changeTable(hosts, place)], rest: rest('install') } }];
}

function isDeletion({ action }: HostChange): boolean {
  return action.includes('delete');
}

function isInstall(change: HostChange): boolean {
  return change.action.includes('install') && !isDeletion(change);
}

/**
 * The hosts that are neither deleted nor get the anti-virus. Those with a remark come first and are not folded, unless there
 * are many.
 */
export function otherParts(
  { plan }: PlanRows,
  changes: readonly HostChange[],
  checked: ReadonlySet<HostChange>,
  place: PlaceWords,
  rest: Rest,
): readonly Part[] {
  const hosts = changes.filter((each) => !isIrreversible(each) && !isRefreshOnly(each));
  if (hosts.length === 0) return [];
  const titleOf = (rows: readonly HostChange[], noun: string) => {
    const words = changeCountWords({
      ...plan.summary,
      rename: rows.filter(({ new_name: name }) => name !== null).length,
      temporaryRename: 0,
      move: rows.filter(({ new_group: group }) => group !== null).length,
      refresh: rows.filter(({ action }) => action.includes('refresh')).length,
      antivirus: 0,
      delete: 0,
    });
    return `Change ${count(rows.length, noun)}: ${words.join(', ')}`;
  };
  const { marked, plain } = byAttention(hosts, checked);
  const isApart = marked.length > 0 && hosts.length > mostUnfolded;
  if (!isApart || plain.length === 0)
    return [folding('tail', titleOf(hosts, 'host'), changeTable(hosts, place), rest('host'))];
  const open = `### Check ${grouped(marked.length)} of ${grouped(hosts.length)} changed hosts`;
  const section = { open, blocks: [changeTable(marked, place)], rest: rest('host') };
  return [
    { kind: 'kept', section, short: section, isFirst: true },
    folding('tail', titleOf(plain, 'other host'), changeTable(plain, place), rest('host')),
  ];
}

/** Hosts that are only asked to report. */
export function refreshParts(changes: readonly HostChange[], place: PlaceWords, rest: Rest): readonly Part[] {
  const hosts = changes.filter(isRefreshOnly);
  if (hosts.length === 0) return [];
  const title = `Refresh the anti-virus status of ${count(hosts.length, 'host')}`;
  return [folding('tail', title, changeTable(hosts, place), rest('refresh', 'refreshes'))];
}

function isRefreshOnly({ action }: HostChange): boolean {
  return action.every((each) => each === 'refresh');
}
