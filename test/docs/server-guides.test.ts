import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readCommand } from '../../src/accounts/approvals/read-command.ts';
import { commitStatus } from '../../src/server/notifications/rules/commit-status.ts';
import { composeMessage } from '../../src/server/notifications/rules/message.ts';
import { retryAfter } from '../../src/server/notifications/rules/sent.ts';
import { signWebhook } from '../../src/server/notifications/rules/sign-webhook.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { notificationKinds } from '../../src/server/settings/server-settings.ts';
import { usualLimits } from '../../src/server/sources/rules/source-limits.ts';
import { readFences } from './read-page.ts';

const pageOf = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../docs/guides/${name}.md`), 'utf8');

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function settingsOf(page: string, at = 0) {
  const config = readFences(pageOf(page)).filter(({ language }) => language === 'yaml')[at];
  const folder = scratch();
  mkdirSync(join(folder, 'lab'));
  writeFileSync(join(folder, 'rampart.config.yaml'), config?.text ?? '');
  const read = await readServerSettings({ folder, env: {} });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

test('the configuration of the page on sources is valid, and its limits are those of the code', async () => {
  const { sources } = await settingsOf('sources');
  expect(sources.map(({ kind }) => kind)).toEqual(['git', 'folder']);
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  for (const limit of [
    `${usualLimits.files.toLocaleString('en')} files`,
    `${mebibytes(usualLimits.fileBytes)} a file`,
    `${mebibytes(usualLimits.totalBytes)} in all`,
    `${mebibytes(usualLimits.fetchedBytes)} and ${usualLimits.timeMs / 60_000} minutes`,
  ])
    expect(pageOf('sources')).toContain(limit);
});

test('the examples of Git over SSH and of a forge are valid, and the states are those of the code', async () => {
  expect((await settingsOf('sources', 1)).sources).toMatchObject([
    { git: 'ssh://git@git.example.com/ops/fleet.git', ssh: {} },
  ]);
  expect((await settingsOf('sources', 2)).sources).toMatchObject([
    { forge: { kind: 'github', repository: 'acme/fleet' } },
  ]);
  const status = commitStatus([
    {
      outcome: 'waiting',
      plans: 1,
      changes: 12,
      irreversible: 2,
      plan: {
        id: 'p',
        account: 'berlin',
        reason: null,
        required: { approvals: 1, notAuthor: false, numbers: [{ limit: 'delete', value: 2, allowed: 0 }] },
        approvals: 0,
      },
    },
  ]);
  expect(pageOf('sources').replaceAll('\n', ' ')).toContain(`\`${status?.description}\``);
});

test('the configuration and the comments of the page on approvals are valid', async () => {
  const { approvals, reviewers } = await settingsOf('approvals');
  expect(approvals).toHaveLength(2);
  expect(reviewers).toHaveLength(1);
  const comments = readFences(pageOf('approvals')).filter(({ text }) => text.startsWith('/rampart'));
  expect(comments.map(({ text }) => readCommand(text))).toMatchObject([
    { ok: true, value: { decision: 'approved', numbers: { delete: 12 } } },
    { ok: true, value: { decision: 'rejected', comment: 'wait until Monday' } },
  ]);
});

test('the page on notifications names each kind, and when a message is given up', async () => {
  const { notifications } = await settingsOf('notifications');
  expect(notifications.map(({ kind }) => kind)).toEqual(['slack', 'webhook', 'email']);
  const page = pageOf('notifications');
  for (const kind of notificationKinds) expect(page).toContain(`| \`${kind}\` |`);
  expect(page.replaceAll('\n', ' ')).toContain(`after 12 attempts`);
  expect(retryAfter(1)).toBe(30_000);
});

test('the example of a receiver accepts genuine messages only', async () => {
  const [example] = readFences(pageOf('notifications')).filter(({ text }) => text.includes('isGenuine'));
  const file = join(scratch(), 'receiver.mjs');
  writeFileSync(file, example?.text ?? '');
  const { isGenuine } = (await import(pathToFileURL(file).href)) as {
    isGenuine: (headers: object, body: string, secret: string, now: number) => boolean;
  };
  const now = Date.parse('2026-11-23T10:00:00Z');
  const message = composeMessage(
    [{ kind: 'drifted', account: 'berlin', topic: 'k1', facts: { title: 'x' } }],
    undefined,
  );
  const { body, headers: sent } = signWebhook(message, { id: 'd1', channel: 'ops', now }, 'secret');
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]),
  );
  expect(isGenuine(headers, body, 'secret', now)).toBe(true);
  expect(isGenuine(headers, body, 'other', now)).toBe(false);
  expect(isGenuine(headers, `${body} `, 'secret', now)).toBe(false);
  expect(isGenuine(headers, body, 'secret', now + 301_000)).toBe(false);
  for (const member of Object.keys(JSON.parse(body) as object))
    expect(pageOf('notifications')).toContain(`\`${member}\``);
});
