import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallerIdentity } from '../../../src/api/access/grants.ts';
import { ok, problem } from '../../../src/core/problem/problem.ts';
import type { HttpParts } from '../../../src/server/http/route.ts';
import type { ServerSettings } from '../../../src/server/settings/server-settings.ts';

export function settingsOf(changed: Partial<ServerSettings> = {}): ServerSettings {
  return {
    folder: '/nowhere',
    accounts: [],
    labels: new Set(),
    listen: { host: '127.0.0.1', port: 0 },
    data: '/nowhere/data',
    cadenceMs: 600_000,
    sources: [],
    registers: [],
    pipelines: [],
    approvals: [],
    windows: [],
    freezes: [],
    overrun: 'pause',
    notifications: [],
    retentionMs: 30 * 86_400_000,
    allow: [],
    metrics: {},
    ...changed,
  };
}

/** People by their bearer tokens. Each request needs one. */
export function identifyBy(people: Readonly<Record<string, Partial<CallerIdentity>>>): HttpParts['identify'] {
  return async (request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    const known = Object.hasOwn(people, token) ? people[token] : undefined;
    if (known === undefined) return problem('not-authenticated', 'You are not signed in');
    return {
      subject: { kind: 'token', id: token, name: token },
      email: null,
      grants: [{ role: 'viewer' }],
      csrf: null,
      expiresAt: null,
      ...known,
    };
  };
}

/** A part that a test does not need: using it fails. */
function absent<Part extends object>(name: string): Part {
  return new Proxy({} as Part, {
    get: (_, member) => {
      throw new Error(`the test gives no ${name}: ${String(member)}`);
    },
  });
}

export function httpParts(changed: Partial<HttpParts> = {}): HttpParts {
  return {
    settings: settingsOf(),
    store: absent('store'),
    state: absent('state'),
    queue: absent('queue'),
    work: absent('work'),
    acts: { record: async () => ok(null), recordWithin: () => {}, recordRefusal: async () => {} },
    hide: () => {},
    clock: { now: () => Date.parse('2026-11-23T08:00:00Z'), sleep: async () => undefined },
    identify: identifyBy({ viewer: {}, admin: { grants: [{ role: 'admin' }] } }),
    consoleFolder: mkdtempSync(join(tmpdir(), 'console-')),
    version: '0.1.0',
    isEmulator: false,
    ...changed,
  };
}
