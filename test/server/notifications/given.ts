import type { FoundAccount } from '../../../src/server/accounts/records/account-record.ts';
import type {
  NewNotification,
  NotificationRecord,
} from '../../../src/server/notifications/records/notifications.ts';
import type { NotificationSettings, WebNotification } from '../../../src/server/settings/server-settings.ts';
import { notificationKinds } from '../../../src/server/settings/server-settings.ts';
import { inAWhile } from '../jobs/given.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 };

export function channelOf(name: string, parts: Partial<WebNotification> = {}): WebNotification {
  return {
    kind: 'webhook',
    name,
    kinds: notificationKinds,
    digestMs: null,
    url: { kind: 'variable', variable: 'HOOK_URL' },
    place,
    ...parts,
  };
}

export function mailChannel(
  port: number,
  smtp: Partial<Extract<NotificationSettings, { kind: 'email' }>['smtp']> = {},
): Extract<NotificationSettings, { kind: 'email' }> {
  return {
    kind: 'email',
    name: 'mail',
    kinds: notificationKinds,
    digestMs: null,
    smtp: { host: '127.0.0.1', port, security: 'none', ...smtp },
    from: 'rampart@example.com',
    to: ['ops@example.com', 'night@example.com'],
    place,
  };
}

export function accountRecord(parts: Partial<FoundAccount> = {}): FoundAccount {
  return {
    name: 'berlin',
    companyId: '1',
    service: 'https://api.example.com',
    labels: { region: 'eu' },
    mode: 'propose',
    health: 'converged',
    since: null,
    hosts: 10,
    drifted: 0,
    plan: null,
    run: null,
    commit: 'c1',
    lastCheckAt: new Date('2026-11-23T08:00:00.000Z'),
    nextCheckAt: null,
    failure: null,
    hold: null,
    checkBeganAt: null,
    runState: null,
    runWaitsFor: null,
    hasIgnored: false,
    version: 1,
    readAt: new Date('2026-11-23T08:00:01.000Z'),
    hasPauses: false,
    ...parts,
  };
}

/** Notifications in memory, with the guarantees of the table. Each change takes a while. */
export function memoryNotifications() {
  interface Row extends NotificationRecord {
    readonly state: 'pending' | 'sent' | 'dead';
    readonly problem: string | null;
    readonly retryMs: number | null;
  }
  const rows = new Map<string, Row>();
  const change = (ids: readonly string[], parts: (row: Row) => Partial<Row>) => {
    for (const id of ids) {
      const row = rows.get(id);
      if (row !== undefined) rows.set(id, { ...row, ...parts(row) });
    }
  };
  return {
    rows,
    async enqueue(messages: readonly NewNotification[]) {
      if (messages.length === 0) throw new Error('there is nothing to write');
      await inAWhile(3);
      for (const { delayMs: _, ...message } of messages) {
        const id = String(rows.size + 1);
        rows.set(id, {
          ...message,
          id,
          attempts: 0,
          createdAt: new Date(0),
          state: 'pending',
          problem: null,
          retryMs: null,
        });
      }
    },
    async claim(channel: string, limit: number): Promise<readonly NotificationRecord[]> {
      const due = [...rows.values()].filter((row) => row.channel === channel && row.state === 'pending');
      const ids = due.slice(0, limit).map(({ id }) => id);
      change(ids, ({ attempts }) => ({ attempts: attempts + 1 }));
      return ids.flatMap((id) => rows.get(id) ?? []);
    },
    async sent(ids: readonly string[], facts: object = {}) {
      await inAWhile(3);
      change(ids, (row) => ({ state: 'sent', facts: { ...row.facts, ...facts } }));
    },
    lastSent: async (channel: string, kind: string, topic: string): Promise<unknown> =>
      [...rows.values()].findLast(
        (row) => row.channel === channel && row.kind === kind && row.topic === topic && row.state === 'sent',
      )?.facts,
    async failed(ids: readonly string[], problem: string, retryMs: number | null) {
      await inAWhile(3);
      change(ids, () => ({ problem, retryMs, state: retryMs === null ? 'dead' : 'pending' }));
    },
  };
}
