import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { program } from '../../given/program.ts';

/** The emulator as its users run it, tried by clients that share no code with Rampart: the fetch of Node and curl. */

interface Account {
  readonly company_id: string;
  readonly psk: string;
  readonly login_session_id: string;
  readonly profile_id: string;
  readonly hosts: number;
}

async function serving(...flags: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', program, 'emulator', '--json', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  });
  const { url, accounts } = await firstDocument(child);
  const [account] = accounts as readonly [Account];
  const authorization = basic(account);
  const at = (path: string) => `${url}/public-api${path}`;
  return {
    accounts,
    at,
    fetch: (path: string, init: RequestInit = {}, headers: Readonly<Record<string, string>> = {}) =>
      fetch(at(path), { ...init, headers: { authorization, accept: 'application/json', ...headers } }),
    /** Its status, its body, and what curl itself ends with. */
    curl: (path: string, ...more: readonly string[]) =>
      curl(at(path), '-u', `${account.company_id}:${account.psk}`, ...more),
  };
}

function basic({ company_id, psk }: Pick<Account, 'company_id' | 'psk'>): string {
  return `Basic ${Buffer.from(`${company_id}:${psk}`).toString('base64')}`;
}

async function firstDocument(child: ChildProcess): Promise<{ url: string; accounts: readonly Account[] }> {
  let printed = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    printed += chunk.toString();
    if (printed.endsWith('}\n')) break;
  }
  return JSON.parse(printed);
}

async function curl(url: string, ...more: readonly string[]) {
  const argv = ['-sS', '--noproxy', '*', '-w', '\n%{http_code}', ...more, url];
  const ran = await promisify(execFile)('curl', argv).then(
    ({ stdout }) => ({ stdout, exit: 0 }),
    (error: { code: number; stdout: string }) => ({ stdout: error.stdout, exit: error.code }),
  );
  const lines = ran.stdout.split('\n');
  return { exit: ran.exit, status: Number(lines.at(-1)), body: lines.slice(0, -1).join('\n') };
}

const json = { 'content-type': 'application/json' };
const writing = (method: string, body: unknown) => ({ method, body: JSON.stringify(body) });
interface Listed {
  readonly hosts: readonly { readonly id: number; readonly description: string }[];
}

describe('the sample fleet', () => {
  it('reaches fetch and curl with every id unchanged', async () => {
    const { fetch, curl } = await serving();
    const text = await (await fetch('/v2/hosts')).text();
    expect((await curl('/v2/hosts')).body).toBe(text);
    const { hosts } = JSON.parse(text) as Listed;
    expect(hosts).toHaveLength(40);
    // The output of a program after a read equals its input.
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    const renamed = await fetch(
      `/v1/hosts/${hosts[0]?.id}/description`,
      writing('PUT', { newDescription: 'RENAMED' }),
      { 'content-type': 'Application/JSON; charset="UTF-8"' },
    );
    expect(renamed.status).toBe(204);
    expect((JSON.parse((await curl('/v2/hosts')).body) as Listed).hosts[0]?.description).toBe('RENAMED');
  });

  it('supports reports for each host', async () => {
    const { fetch } = await serving('--hosts', '60');
    const { hosts } = (await (await fetch('/v2/hosts')).json()) as Listed;
    const hostIds = hosts.map(({ id }) => id);
    const created = await fetch('/v1/inventory/hardware/reports', writing('POST', { hostIds }), json);
    expect(created.status).toBe(201);
    const { token } = (await created.json()) as { token: string };
    const pages = [1, 2].map(() => fetch(`/v1/inventory/hardware/reports/${token}`));
    const records = await Promise.all(
      pages.map(async (page) => ((await (await page).json()) as { hosts: object }).hosts),
    );
    expect(records.flatMap((page) => Object.keys(page).map(Number)).toSorted((a, b) => a - b)).toEqual(
      hostIds,
    );
  });
});

it('unusual requests get a response with fetch and curl', async () => {
  const { fetch, curl } = await serving();
  const head = await fetch('/v2/hosts', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBe((await (await fetch('/v2/hosts')).text()).length);
  const { hostGroups } = (await (await fetch('/v1/hosts/anti-virus/details')).json()) as {
    hostGroups: unknown[];
  };
  expect(hostGroups[0]).toEqual({ groupId: -1, groupName: '' });
  expect(await curl('/v2/hosts', '--head')).toMatchObject({ exit: 0, status: 200 });
  expect((await curl('/v2/hosts', '--head')).body).toMatch(/^content-length: \d{4}/im);
  const rename = (body: string, type: string) =>
    curl(
      '/v1/hosts/100000004/description',
      '-X',
      'PUT',
      '-H',
      `Content-Type: ${type}`,
      '--data-binary',
      body,
    );
  expect((await rename('\uFEFF{"newDescription":"A"}', 'application/json')).status).toBe(204);
  expect((await rename('{"newDescription":"B"}', 'application/json; charset="utf-8"')).status).toBe(204);
  expect((await rename('{"newDescription":"C"}', 'application/x-www-form-urlencoded')).status).toBe(415);
  const refused = await curl(
    '/v1/hosts/100000004/connection',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{}',
  );
  expect(refused).toMatchObject({ exit: 0, status: 400 });
  expect(JSON.parse(refused.body)).toMatchObject({ hostId: 100000004 });
});

it('limits allow a refused report to be created at once afterwards', async () => {
  const { fetch, curl } = await serving('--limits');
  const path = '/v1/inventory/system/reports';
  const create = (hostIds: readonly number[], type = 'application/json') =>
    fetch(path, writing('POST', { hostIds }), { 'content-type': type });
  expect((await create([1])).status).toBe(400);
  expect((await create([100000004], 'text/plain')).status).toBe(415);
  expect((await create([100000004])).status).toBe(201);
  expect((await create([100000004])).status).toBe(429);
  expect((await curl('/v2/hosts')).status).toBe(200);
  expect((await curl('/v2/hosts')).status).toBe(429);
});

describe('false responses', () => {
  it('reach both clients: no effect, empty, stale and shortened lists', async () => {
    const { fetch, curl } = await serving(
      '--set',
      `faults=[
        { action: renameHost, effect: { kind: nothing-done } },
        { action: listHosts, nth: 2, effect: { kind: short-list, share: 0 } },
        { action: listHosts, nth: 3, effect: { kind: missing-hosts, ids: [100000004] } },
        { action: listHosts, nth: [4, 5], effect: { kind: stale-list, writes: 1 } }]`.replaceAll('\n', ' '),
    );
    const names = async () =>
      (JSON.parse((await curl('/v2/hosts')).body) as Listed).hosts.map(({ description }) => description);
    const before = await names();
    const rename = await fetch(
      '/v1/hosts/100000004/description',
      writing('PUT', { newDescription: 'NEW' }),
      json,
    );
    expect(rename.status).toBe(204);
    expect(await names()).toEqual([]);
    expect(await names()).toEqual(before.slice(1));
    expect((await fetch('/v1/hosts', writing('DELETE', { hostIds: [100000010] }), json)).status).toBe(204);
    expect(new Set(await names())).toEqual(new Set(before));
    const { hosts } = (await (await fetch('/v2/hosts')).json()) as Listed;
    expect(hosts).toHaveLength(before.length);
    expect(await names()).toEqual(before.toSpliced(1, 1));
  });

  it('a slow body arrives complete and late, and one that never ends holds a client until it gives up', async () => {
    const drip = (nth: string, more: string) =>
      `{ action: listHosts, nth: ${nth}, effect: { kind: drip, everyMs: 5, bytes: 500${more} } }`;
    const faults = `faults=[${drip('1', '')}, ${drip('[3, 4]', ', endless: true')}]`;
    const { fetch, curl } = await serving('--set', faults);
    expect(await (await fetch('/v2/hosts')).text()).toBe(await (await fetch('/v2/hosts')).text());
    const dripped = await curl('/v2/hosts', '--max-time', '0.4');
    expect(dripped).toMatchObject({ exit: 28 });
    expect(dripped.body).toContain('"hosts"');
    const waiting = fetch('/v2/hosts', { signal: AbortSignal.timeout(300) }).then((reply) => reply.text());
    await expect(waiting).rejects.toThrow('timeout');
    // The service lives on.
    expect((await curl('/v1/authentication')).status).toBe(200);
  });
});

it('many accounts are served at one address to fetch and curl', async () => {
  const { accounts, at } = await serving('--accounts', '25', '--hosts', '3', '--limits');
  expect(accounts).toHaveLength(25);
  const seen = new Set<number>();
  for (const account of accounts.slice(0, 5)) {
    const reply = await fetch(at('/v2/hosts'), { headers: { authorization: basic(account) } });
    for (const { id } of ((await reply.json()) as Listed).hosts) seen.add(id);
    expect((await curl(at('/v2/hosts'), '-u', `${account.company_id}:${account.psk}`)).status).toBe(429);
    const session = `{"loginSessionId":"${account.login_session_id}","profileId":${account.profile_id}}`;
    const list = await curl(at('/v2/hostswithgroups'), '-H', `Authorization: ${session}`);
    expect(list.status).toBe(200);
    for (const { id } of (JSON.parse(list.body) as Listed).hosts) expect(seen).toContain(id);
  }
  expect(seen.size).toBe(15);
  const wrong = await curl(at('/v2/hosts'), '-u', `${accounts[0]?.company_id}:${accounts[1]?.psk}`);
  expect(wrong).toMatchObject({ status: 401, body: '{"message":"Not authenticated."}' });
});
