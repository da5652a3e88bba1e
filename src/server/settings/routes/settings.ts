import { join } from 'node:path';
import { z } from 'zod';
import { toGrant } from '../../../api/access/grants.ts';
import { pageOf } from '../../../api/resource.ts';
import {
  deliveriesQuery,
  deliveryRow,
  type NotificationRow,
  notificationTest,
  redriven,
  type SourceRow,
  settings,
} from '../../../api/settings.ts';
import { failed, ok } from '../../../core/problem/problem.ts';
import { mapPage } from '../../database/page.ts';
import { missing } from '../../http/api-answers.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import { type Answered, type HttpParts, recordAct, route } from '../../http/route.ts';
import type { ChannelRecord } from '../../notifications/records/notifications.ts';
import { forgeSource } from '../../notifications/rules/deliver-to-forge.ts';
import { forgeChannel } from '../../plans/records/commit-plans.ts';
import type { SourceRecord } from '../../sources/records/sources.ts';
import { isReported, type ServerSettings, type SourceSettings } from '../server-settings.ts';

const channelParams = z.object({ name: z.string().min(1).max(200) });
const dayMs = 86_400_000;

export const settingsRoutes = [
  route({
    id: 'getSettings',
    method: 'get',
    path: '/api/v1/settings',
    tag: 'Settings',
    summary: 'Show sources, notifications and the mapping of roles. Settings are changed in the file.',
    access: { action: 'read-settings', on: 'server' },
    answer: settings,
    async handle({ parts }) {
      const { store, settings: read } = parts;
      const sources = new Map((await store.sources.list()).map((each) => [each.name, each]));
      const channels = new Map((await store.notifications.channels()).map((each) => [each.channel, each]));
      return ok({
        sources: read.sources.map((each) => toSourceRow(each, sources.get(each.name))),
        notifications: [
          ...read.notifications.map((each) => toNotificationRow(each, channels.get(each.name))),
          ...read.sources.flatMap((source) => forgeRows(source, channels)),
        ],
        roles: (read.login?.roles ?? []).map((rule) => ({ group: rule.group, grants: [toGrant(rule)] })),
        cadence_seconds: Math.round(read.cadenceMs / 1_000),
        retention_days: Math.round(read.retentionMs / dayMs),
        file: join(read.folder, 'rampart.config.yaml'),
      });
    },
  }),
  route({
    id: 'listDeliveries',
    method: 'get',
    path: '/api/v1/notifications/deliveries',
    tag: 'Settings',
    summary: 'List the messages of notifications and what became of them, latest first.',
    access: { action: 'read-settings', on: 'server' },
    query: deliveriesQuery,
    answer: pageOf(deliveryRow),
    async handle({ query: { name, ...query }, parts }) {
      const page = await parts.store.notifications.list({ ...query, channel: name });
      return mapPage(page, ({ topic: _topic, ...row }) => row);
    },
  }),
  route({
    id: 'resendDelivery',
    method: 'post',
    path: '/api/v1/notifications/deliveries/{id}/resend',
    tag: 'Settings',
    summary: 'Send one message again, whether it was sent or given up.',
    access: { action: 'redrive', on: 'server' },
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    answer: redriven,
    async handle(call) {
      const { id } = call.params;
      const recorded = await recordAct(call, 'notification-redriven', { delivery: id });
      if (!recorded.ok) return recorded;
      return ok({ redriven: (await call.parts.store.notifications.resend(id)) ? 1 : 0 });
    },
  }),
  route({
    id: 'testNotification',
    method: 'post',
    path: '/api/v1/notifications/{name}/test',
    tag: 'Settings',
    summary: 'Send a test message now.',
    access: { action: 'redrive', on: 'server' },
    params: channelParams,
    answer: notificationTest,
    async handle(call) {
      const { name } = call.params;
      if (!isConfigured(call.parts, name)) return failed(missing);
      const recorded = await recordAct(call, 'notification-tested', { notification: name });
      if (!recorded.ok) return recorded;
      const tested = await call.parts.work.testNotification(name);
      if (tested.ok) return ok({ ...tested.value });
      // A status such as 401 would mean that this caller is not signed in here.
      return problemAnswer(tested.problems, { status: tested.problems[0]?.code === 'timed-out' ? 504 : 502 });
    },
  }),
  route({
    id: 'redriveNotification',
    method: 'post',
    path: '/api/v1/notifications/{name}/redrive',
    tag: 'Settings',
    summary: 'Send the messages again that were given up.',
    access: { action: 'redrive', on: 'server' },
    params: channelParams,
    answer: redriven,
    async handle(call) {
      const { name } = call.params;
      if (!isConfigured(call.parts, name)) return failed(missing);
      const recorded = await recordAct(call, 'notification-redriven', { notification: name });
      if (!recorded.ok) return recorded;
      return ok({ redriven: await call.parts.store.notifications.redrive(name) });
    },
  }),
];

function isConfigured({ settings }: Pick<HttpParts, 'settings'>, name: string): boolean {
  return (
    settings.notifications.some((each) => each.name === name) ||
    forgeSource(settings.sources, name) !== undefined
  );
}

function toSourceRow(source: SourceSettings, record: SourceRecord | undefined): Answered<SourceRow> {
  const { name, kind, allowsScripts } = source;
  const problem = record?.problem ?? null;
  return {
    name,
    kind,
    location: source.kind === 'git' ? withoutUser(source.git) : source.folder,
    ref: source.kind === 'git' ? source.ref : null,
    commit: record?.commit ?? null,
    fetched_at: record?.fetchedAt ?? null,
    allows_scripts: allowsScripts,
    has_webhook: source.kind === 'git' && source.webhookSecret !== undefined,
    problem: problem === null ? null : { code: problem.code, message: problem.message, since: problem.since },
  };
}

/** An address of the configuration has no secret in it; a user name is not shown either. */
function withoutUser(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  url.username = '';
  url.password = '';
  return url.href;
}

function toNotificationRow(
  { name, kind, where, kinds, digestMs }: ServerSettings['notifications'][number],
  channel: ChannelRecord | undefined,
): Answered<NotificationRow> {
  return {
    name,
    kind,
    where: where ?? null,
    kinds,
    digest_seconds: digestMs === null ? null : Math.round(digestMs / 1_000),
    ...standingOf(channel),
  };
}

/** The forge of a source, to which plans are reported. */
function forgeRows(
  source: SourceSettings,
  channels: ReadonlyMap<string, ChannelRecord>,
): readonly Answered<NotificationRow>[] {
  if (!isReported(source)) return [];
  const name = forgeChannel(source.name);
  return [
    {
      name,
      kind: source.forge.kind,
      where: null,
      kinds: ['commit statuses', 'answers to comments'],
      digest_seconds: null,
      ...standingOf(channels.get(name)),
    },
  ];
}

function standingOf(
  channel: ChannelRecord | undefined,
): Pick<Answered<NotificationRow>, 'last_sent_at' | 'dead' | 'problem'> {
  return {
    last_sent_at: channel?.lastSentAt ?? null,
    dead: channel?.dead ?? 0,
    problem: channel?.problem ?? null,
  };
}
