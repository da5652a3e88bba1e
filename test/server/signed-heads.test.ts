import '../tiers/uses-a-system.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseSignedHead } from '../../src/run/state/audit/signed-head.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { startServer } from '../../src/server/start/start-server.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { givenAccounts } from '../given/accounts.ts';
import { listen } from '../given/loopback.ts';
import { hasPostgres, sharedPostgres } from '../given/postgres.ts';

test('a running server sends the signed head of its audit log with the end of a run, and shows it in /metrics', async () => {
  const messages: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        messages.push(Buffer.concat(parts).toString());
        response.end();
      });
    }),
  );
  const accounts = await givenAccounts({ berlin: { mode: 'correct', hosts: [{ id: '1', name: 'PC-1' }] } });
  const folder = mkdtempSync(join(tmpdir(), 'rampart-signed-heads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 1, name: LOBBY }\n');
  writeFileSync(
    join(folder, 'rampart.config.yaml'),
    `${accounts.config.replace('mode: correct', 'mode: correct, source: files')}
server:
  listen: 127.0.0.1:0
  allow: [127.0.0.0/8]
  sources: [{ name: files, folder: . }]
  notifications: [{ name: hook, kind: webhook, urlVariable: RAMPART_HOOK_URL, secretVariable: RAMPART_HOOK_SECRET }]
`,
  );
  const env = {
    ...accounts.env,
    RAMPART_HOOK_URL: `http://127.0.0.1:${port}/`,
    RAMPART_HOOK_SECRET: 'signing-secret',
  };
  const settings = await readServerSettings({ folder, env });
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems));
  const lines: string[] = [];
  const started = await startServer({
    settings: settings.value,
    env,
    ...(hasPostgres ? { databaseUrl: sharedPostgres().createDatabase() } : {}),
    clock: systemClock,
    log: (level, message) => void lines.push(`${level} ${message}`),
    hide: () => {},
    version: '0.1.0',
    isEmulator: false,
    has: { http: true, scheduler: true, worker: true },
    auditKey: { folder: join(folder, 'keys'), mayCreate: true },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  const { url, parts, stop } = started.value;
  onTestFinished(stop);

  const message = await vi.waitFor(
    () => {
      const found = messages.find((each) => each.includes('A plan was applied'));
      expect(found, lines.join('\n')).toBeDefined();
      return found;
    },
    { timeout: 60_000, interval: 250 },
  );
  const [, sent = ''] = /Audit head: record \d+, ([0-9a-f]{64})/.exec(message ?? '') ?? [];
  const records = await parts.state.audit.latest(100);
  expect(records.ok && records.value.map(({ hash }) => hash)).toContain(sent);

  // A record may be signed between the two reads.
  await vi.waitFor(
    async () => {
      const shown = await (await fetch(`${url}/metrics`)).text();
      const metric = (name: string) => new RegExp(`^rampart_audit_${name} (\\S+)$`, 'm').exec(shown)?.[1];
      const head = await parts.state.audit.readHead();
      const signed = head.ok ? parseSignedHead(head.value ?? '') : undefined;
      expect(signed?.seq).toBeGreaterThan(0);
      expect(metric('signed_records')).toBe(String(signed?.seq));
      expect(Number(metric('signed_hash'))).toBe(Number.parseInt(signed?.hash.slice(0, 12) ?? '', 16));
      expect(metric('broken')).toBe('0');
    },
    { timeout: 15_000, interval: 250 },
  );
}, 120_000);
