import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Collector, givenCollector } from '../given/collector.ts';
import { program, programEnvironment } from '../given/program.ts';

const env = { ...programEnvironment, HOME: '/nonexistent', RAMPART_LOG: 'info' };

interface Started {
  readonly url: string;
  readonly login_link: string;
  readonly accounts: number;
}

function start(
  folder: string,
  argv: readonly string[],
  more: Readonly<Record<string, string>>,
): { child: ChildProcess; log: () => string } {
  const child = spawn(process.execPath, [program, 'server', ...argv], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  return { child, log: () => log };
}

async function startedBy(child: ChildProcess): Promise<Started> {
  let out = '';
  for await (const chunk of child.stdout ?? []) {
    out += String(chunk);
    try {
      return JSON.parse(out) as Started;
    } catch {
      // The rest of the document follows.
    }
  }
  throw new Error(`the server ended: ${out}`);
}

describe('rampart server --emulator', { timeout: 120_000 }, () => {
  let folder: string;
  let child: ChildProcess;
  let log: () => string;
  let started: Started;
  let cookie: string;
  let collector: Collector;
  let endCollector: () => Promise<void>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rampart-server-'));
    collector = await givenCollector(200, (end) => (endCollector = end));
    ({ child, log } = start(folder, ['--emulator', '--json', '--listen', '127.0.0.1:0'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      RAMPART_LOG: 'error',
    }));
    started = await startedBy(child);
    const login = await fetch(started.login_link, { redirect: 'manual' });
    cookie = login.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
  }, 60_000);
  afterAll(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    rmSync(folder, { recursive: true, force: true });
    await endCollector();
  });

  const get = async (path: string) => {
    const answer = await fetch(`${started.url}${path}`, { headers: { cookie } });
    return { status: answer.status, text: await answer.text() };
  };

  it('serves twenty accounts on loopback, and shows every health that a check can find', async () => {
    expect(started.accounts).toBe(20);
    expect(new URL(started.url).hostname).toBe('127.0.0.1');
    await vi.waitFor(
      async () => {
        const { text } = await get('/api/v1/overview');
        const { unchecked, health } = JSON.parse(text) as {
          unchecked: number;
          health: Record<string, number>;
        };
        expect(unchecked).toBe(0);
        for (const each of ['failing', 'in_doubt', 'drifted', 'waiting', 'in_progress', 'converged'])
          expect(health[each], each).toBeGreaterThan(0);
      },
      { timeout: 90_000, interval: 500 },
    );
  });

  it('explains from its own files what decides each attribute of a host, even if nothing differs', async () => {
    // A busy machine may need longer for the files than a request waits.
    const words = await vi.waitFor(
      async () => {
        const { items } = JSON.parse((await get('/api/v1/hosts?drifted=false&limit=20')).text) as {
          items: readonly { account: string; host_id: string }[];
        };
        const details = await Promise.all(
          items.map(async ({ account, host_id: id }) => {
            const { text } = await get(`/api/v1/accounts/${account}/hosts/${id}`);
            return JSON.parse(text) as {
              explain_problem?: string;
              explain: readonly { attribute: string; decided_by: string; place?: { line: number } }[];
            };
          }),
        );
        const known = details.filter((each) => each.explain_problem === undefined);
        const found = known.flatMap(({ explain }) => explain.map((each) => each.decided_by));
        expect(
          found.some((each) => /^(rule|entry) /.test(each)),
          found.join('\n'),
        ).toBe(true);
        return found;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(words).not.toContain('no difference from the desired state');
  });

  it('lets nobody in without the link, which works once', async () => {
    expect((await fetch(`${started.url}/api/v1/overview`)).status).toBe(401);
    const again = await fetch(started.login_link, { redirect: 'manual' });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  it('responds to probes and Prometheus without a session', async () => {
    const health = await fetch(`${started.url}/healthz`);
    expect(await health.json()).toEqual({ status: 'ok' });
    const ready = await fetch(`${started.url}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ok', faults: [] });
    const metrics = await (await fetch(`${started.url}/metrics`)).text();
    for (const name of [
      'rampart_queue_jobs{queue="check",state="ready"}',
      'rampart_accounts{health="failing"}',
      'rampart_oldest_check_age_seconds',
      'rampart_check_seconds_count',
      'rampart_rate_limited_total',
      'process_resident_memory_bytes',
    ])
      expect(metrics).toContain(name);
    expect(metrics).not.toMatch(/delta-foods|DESKTOP/);
  });

  it('writes the example for people to edit, with keys that only its owner can read', () => {
    const project = join(folder, '.rampart/emulator');
    expect(readFileSync(join(project, 'rampart.config.yaml'), 'utf8')).toContain('cadence: 1m');
    expect(statSync(join(project, 'keys/delta-foods')).mode & 0o077).toBe(0);
    const key = readFileSync(join(project, 'keys/delta-foods'), 'utf8').trim();
    expect(log()).not.toContain(key);
  });

  it('is the only process on its database: another one logs every problem as a record with its hint', () => {
    const second = spawnSync(process.execPath, [program, 'server', '--emulator', '--listen', '127.0.0.1:0'], {
      cwd: folder,
      env: {
        ...env,
        RAMPART_LOG: 'warn',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      },
      encoding: 'utf8',
    });
    expect(second.status).toBe(1);
    const records = second.stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(records).toMatchObject([
      { level: 'warn', part: 'command', msg: expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL=grpc') },
      {
        level: 'error',
        part: 'command',
        msg: expect.stringContaining('another process has the embedded database'),
        hint: expect.stringContaining('RAMPART_STATE_URL'),
      },
    ]);
  });

  it('logs a new login link as a record of its own, which no level hides', async () => {
    expect((await fetch(`${started.url}/login`)).status).toBe(401);
    const links = await vi.waitFor(() => {
      const records = log()
        .trimEnd()
        .split('\n')
        .filter((line) => line.includes('login/link'))
        .map((line) => JSON.parse(line) as { level: string; login_link?: string });
      const found = records.filter((record) => record.login_link !== undefined);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(links[0]?.level).toBe('info');
    const login = await fetch(links[0]?.login_link ?? '', { redirect: 'manual' });
    expect(login.status).toBe(303);
  });

  it('ends with success on SIGTERM, after its jobs have ended', async () => {
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
  });

  it('sends a trace for each check with the name of its account, and the metrics of /metrics, over OTLP', () => {
    const { spans, points, text } = collector;
    const checks = spans.filter(({ name }) => name === 'check');
    expect(new Set(checks.map(({ attributes }) => attributes['rampart.account'])).size).toBe(20);
    expect(checks.every(({ parentSpanId }) => parentSpanId === undefined)).toBe(true);
    const jobs = spans.filter(({ attributes }) => 'rampart.account' in attributes);
    const traces = new Set(jobs.map(({ traceId }) => traceId));
    expect(traces.size).toBe(jobs.length);
    const calls = spans.filter(({ name }) => name.startsWith('GET /public-api'));
    expect(calls.length).toBeGreaterThan(19);
    expect(calls.some(({ traceId }) => traces.has(traceId))).toBe(true);
    // A job that the signal interrupts has no span of its own; its calls are in no other trace either.
    const command = spans.find(({ name }) => name === 'rampart server');
    expect(calls.some(({ traceId }) => traceId === command?.traceId)).toBe(false);
    const sums = new Map<string, number>();
    for (const { metric, value } of points) sums.set(metric, (sums.get(metric) ?? 0) + value);
    for (const metric of ['rampart_queue_jobs', 'rampart_oldest_check_age_seconds', 'rampart_accounts'])
      expect(sums.has(metric)).toBe(true);
    expect(sums.get('rampart_check_seconds')).toBeGreaterThanOrEqual(20);
    expect(sums.get('rampart_calls_total')).toBeGreaterThanOrEqual(20);
    const states = points.filter(({ metric }) => metric === 'rampart_queue_jobs');
    expect(new Set(states.map(({ attributes }) => attributes['state']))).toEqual(
      new Set(['ready', 'active', 'failed']),
    );
    expect(text()).not.toMatch(/DESKTOP|x-psk|Bearer/i);
  });
});
