import { printable } from '../../../core/lib/printable.ts';
import { count } from '../../../core/lib/words.ts';
import { cutText } from '../../../output/review/cut-text.ts';
import type { NotificationKind } from '../../settings/server-settings.ts';
import type { NotificationRecord } from '../records/notifications.ts';
import { type NoticeFacts, readNoticeFacts } from './notice.ts';

/** One message to one channel, before its format is known. Its texts have no control characters and are short. */
export interface ChannelMessage {
  readonly title: string;
  readonly sections: readonly MessageSection[];
  /** How many sections were left out. */
  readonly more: number;
  /** The address of the console; null if the settings have none. */
  readonly link: string | null;
}

/** One cause: all accounts that it concerns. */
export interface MessageSection {
  readonly kind: NotificationKind;
  readonly heading: string;
  readonly lines: readonly string[];
  readonly link: string | null;
}

/** Worst first. */
const order: readonly NotificationKind[] = [
  'in_doubt',
  'failed',
  'failing',
  'source',
  'rollout',
  'waiting',
  'expiring',
  'drifted',
  'applied',
  'recovered',
];
const mostSections = 20;
const mostAccounts = 10;
const mostLines = 5;
const mostText = 300;
/** Longer ones make some chat services refuse the whole message. */
const longestPath = 1_000;

/** Makes one message of many notices: one section for each cause, worst first. */
export function composeMessage(
  records: readonly Pick<NotificationRecord, 'kind' | 'account' | 'topic' | 'facts'>[],
  serverUrl: string | undefined,
): ChannelMessage {
  const groups = [...Map.groupBy(records, ({ kind, topic }) => JSON.stringify([kind, topic])).values()];
  const sections = groups
    .map((group) => sectionOf(group, serverUrl))
    .toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
  const accounts = new Set(records.flatMap(({ account }) => account ?? []));
  const [first] = sections;
  const title =
    sections.length === 1 && first !== undefined
      ? `Rampart: ${first.heading}`
      : `Rampart: ${sections.length} notices about ${count(accounts.size, 'account')}`;
  return {
    title: short(title),
    sections: sections.slice(0, mostSections),
    more: Math.max(0, sections.length - mostSections),
    link: serverUrl ?? null,
  };
}

function sectionOf(
  group: readonly Pick<NotificationRecord, 'kind' | 'account' | 'facts'>[],
  serverUrl: string | undefined,
): MessageSection {
  const facts = group.map((each) => readNoticeFacts(each.facts));
  const [first = unknownFacts] = facts;
  const accounts = [...new Set(group.flatMap(({ account }) => account ?? []))];
  const hosts = facts.reduce((sum, each) => sum + (each.hosts ?? 0), 0);
  const isOne = accounts.length <= 1;
  const where = accounts.length === 0 ? '' : isOne ? ` (${accounts[0]})` : ` (${accounts.length} accounts)`;
  const listed = accounts.slice(0, mostAccounts).join(', ');
  const lines = [
    ...(isOne ? (first.lines ?? []) : [`Accounts: ${listed}${accounts.length > mostAccounts ? ', …' : ''}`]),
    ...(isOne || hosts === 0 ? [] : [`${count(hosts, 'host or change', 'hosts or changes')} in all`]),
  ];
  const path = isOne ? first.path : undefined;
  return {
    kind: (group[0]?.kind ?? 'drifted') as NotificationKind,
    heading: short(`${first.title}${where}`),
    lines: lines.slice(0, mostLines).map(short),
    link: path === undefined || serverUrl === undefined ? null : linkTo(serverUrl, path),
  };
}

const unknownFacts: NoticeFacts = { title: 'Something changed' };

/** Only paths of the own server become links. */
function linkTo(serverUrl: string, path: string): string | null {
  if (path.length > longestPath || !/^\/[\w%./-]*$/.test(path) || path.startsWith('//')) return null;
  return `${serverUrl}${path}`;
}

function short(text: string): string {
  return cutText(printable(text), mostText);
}
