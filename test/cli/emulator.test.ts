import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Workplace, workplace } from '../given/command-line.ts';

/** Serves until the address is printed, then ends; returns the output. */
async function served({ rampart, interrupt }: Workplace, ...flags: readonly string[]) {
  const serving = rampart(flags.includes('emulator') ? flags : ['emulator', ...flags]);
  const timer = setInterval(interrupt, 20);
  const ran = await serving;
  clearInterval(timer);
  return ran;
}

const seed = (companyId: string, hostId: string) =>
  `companyId: ${companyId}\nhosts:\n  - { id: ${hostId}, name: PC-${hostId} }\n`;

async function seedFolder(files: Readonly<Record<string, string>>): Promise<Workplace> {
  const place = await workplace();
  await mkdir(join(place.folder, 'seeds'));
  for (const [name, text] of Object.entries(files)) await place.write(join('seeds', name), text);
  return place;
}

describe('rampart emulator', () => {
  it('prints the key and the login session of its account', async () => {
    expect(await served(await workplace(), '--hosts', '1')).toExit(0, {
      out: [
        /^export RAMPART_COMPANY_ID=1234567890$/m,
        /^export RAMPART_PSK=rampart-emulator-key-[\w-]+$/m,
        'RAMPART_SESSION_ID=rampart-emulator-session RAMPART_PROFILE_ID=4711',
      ],
    });
  });

  it('prints the credentials of each of many accounts', async () => {
    const { out } = await served(await workplace(), '--accounts', '3', '--hosts', '2');
    expect(out).toContain('An emulated service with 3 accounts and 6 hosts runs at http://127.0.0.1:');
    expect(out.match(/^export RAMPART_COMPANY_ID=\d+$/gm)).toEqual(
      [1234567890, 1234567891, 1234567892].map((id) => `export RAMPART_COMPANY_ID=${id}`),
    );
    expect(new Set(out.match(/^export RAMPART_PSK=.*$/gm)).size).toBe(3);
  });

  it('counts its own accounts after global flags, too', async () => {
    const flags = ['--format', 'json', '-q', 'emulator', '--accounts', '2', '--hosts', '1'];
    const { code, out } = await served(await workplace(), ...flags);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ hosts: 2, accounts: [{ hosts: 1 }, { hosts: 1 }] });
  });

  it('serves an account for each seed in a folder, in the order of their names', async () => {
    const place = await seedFolder({ 'b.yml': seed('2', '20'), 'a.yaml': seed('1', '10'), 'notes.txt': 'x' });
    const { code, out } = await served(place, '--seed', 'seeds', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      hosts: 2,
      accounts: [
        { company_id: '1', hosts: 1, login_session_id: 'rampart-emulator-session-1' },
        { company_id: '2', hosts: 1, login_session_id: 'rampart-emulator-session-2' },
      ],
    });
  });

  it('warns of ids that JavaScript rounds, and only of those', async () => {
    const place = await seedFolder({ 'a.yaml': seed('1', '9007199254740993') });
    expect((await served(place, '--seed', 'seeds')).err).toContain('1 host id above 2^53');
    expect((await served(place, '--hosts', '20', '--large-ids')).err).toContain('2 host ids above 2^53');
    expect((await served(place)).err).not.toContain('2^53');
  });

  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['an empty folder', {}, ['there is no seed in the folder seeds']],
    [
      'two seeds of one account',
      { 'a.yaml': seed('7', '1'), 'b.yaml': seed('7', '2') },
      ['seeds/b.yaml has the same company ID 7 as seeds/a.yaml', 'a unique companyId'],
    ],
    [
      'problems in several seeds, all at once',
      { 'a.yaml': 'hosts: [{}]', 'b.yaml': 'hots: []' },
      ['seeds/a.yaml:1:9', 'seeds/b.yaml:1:1', 'did you mean "hosts"?'],
    ],
  ])('refuses %s', async (_, files, words) => {
    const place = await seedFolder(files);
    const { code, err } = await place.rampart('emulator --seed seeds');
    expect(code).toBe(3);
    for (const each of words) expect(err).toContain(each);
  });

  it.each<readonly string[]>([
    ['--set', 'jsonPrefx=nowhere'],
    ['--set', '@missing.yaml'],
    ['--set', 'noValue'],
    ['--accounts', '0'],
    ['--accounts', '2', '--seed', 'x.yaml'],
    ['--large-ids', '--seed', 'x.yaml'],
  ])('refuses %s %s %s %s', async (...flags) => {
    const { rampart } = await workplace();
    expect((await rampart(['emulator', ...flags.filter((each) => each !== undefined)])).code).toBe(3);
  });
});

describe('rampart emulator --write-config', () => {
  it('writes the accounts with labels, and each key only to a file of its own that nobody else can read', async () => {
    const place = await workplace();
    const { code, out } = await served(
      place,
      '--accounts',
      '3',
      '--hosts',
      '2',
      '--write-config',
      'rampart.config.yaml',
    );
    expect(code).toBe(0);
    const config = await readFile(join(place.folder, 'rampart.config.yaml'), 'utf8');
    expect(config).toContain(
      '  account-3: { companyId: "1234567892", labels: { region: apac, tier: silver } }',
    );
    expect(config).toMatch(/baseUrl: http:\/\/127\.0\.0\.1:\d+/);
    expect(`${config}${out}`).not.toContain('rampart-emulator-key');
    expect(out).toMatch(/^export RAMPART_ALLOWED_ORIGINS=http:\/\/127\.0\.0\.1:\d+$/m);
    const keys = join(place.folder, 'keys');
    expect((await readdir(keys)).toSorted()).toEqual(['account-1.key', 'account-2.key', 'account-3.key']);
    expect(await readFile(join(keys, 'account-2.key'), 'utf8')).toMatch(/^rampart-emulator-key-1234567891-/);
    expect(((await stat(join(keys, 'account-2.key'))).mode & 0o777).toString(8)).toBe('600');
  });

  it('replaces the configuration of an earlier start, and no other', async () => {
    const place = await workplace();
    await served(place, '--write-config', 'rampart.config.yaml');
    expect((await served(place, '--accounts', '2', '--write-config', 'rampart.config.yaml')).code).toBe(0);
    await writeFile(join(place.folder, 'mine.yaml'), 'accounts: {}\n');
    const { code, err } = await place.rampart('emulator --write-config mine.yaml');
    expect(code).toBe(3);
    expect(err).toContain('mine.yaml exists, and is not from "rampart emulator"');
    expect(await readFile(join(place.folder, 'mine.yaml'), 'utf8')).toBe('accounts: {}\n');
    await writeFile(join(place.folder, 'keys/account-2.key'), 'mine');
    const other = await place.rampart('emulator --accounts 2 --write-config other.yaml');
    expect(other).toMatchObject({ code: 3, err: expect.stringContaining('keys/account-2.key exists') });
    expect(await readFile(join(place.folder, 'keys/account-2.key'), 'utf8')).toBe('mine');
    await rm(join(place.folder, 'keys/account-2.key'));
    await mkdir(join(place.folder, 'keys/account-2.key'));
    const unread = await place.rampart('emulator --accounts 2 --write-config other.yaml');
    expect(unread).toMatchObject({ code: 3, err: expect.stringContaining('keys/account-2.key exists') });
  });

  it('names accounts after their seeds', async () => {
    const place = await seedFolder({ 'berlin.yaml': seed('1', '10'), 'wien.yml': seed('2', '20') });
    await served(place, '--seed', 'seeds', '--write-config', 'rampart.config.yaml');
    const config = await readFile(join(place.folder, 'rampart.config.yaml'), 'utf8');
    expect(config.match(/^ {2}(berlin|wien): /gm)).toHaveLength(2);
  });
});

describe('rampart emulator --set for one account', () => {
  it('refuses the name of no account, and suggests the nearest', async () => {
    const place = await workplace();
    const { code, err } = await place.rampart('emulator --accounts 3 --set acount-3:retryDelay=false');
    expect(code).toBe(3);
    expect(err).toContain('--set: there is no account "acount-3"');
    expect(err).toContain('did you mean "account-3"');
  });

  it('gives the account its own limits and faults, and the others the common ones', async () => {
    const place = await workplace();
    const statuses: number[] = [];
    const serving = place.rampart([
      'emulator',
      '--accounts=3',
      '--hosts=1',
      '--write-config=rampart.config.yaml',
      '--set=retryDelay=false',
      '--set=account-3:faults=[{ action: listHosts, effect: { kind: status, status: 503 } }]',
      '--set=account-2:limits={ listHosts: { kind: sliding-window, windowMs: 60000, calls: 1 } }',
    ]);
    const read = (file: string) => readFile(join(place.folder, file), 'utf8');
    const config = await vi.waitFor(() => read('rampart.config.yaml'), { timeout: 20_000 });
    const url = /baseUrl: (\S+)/.exec(config)?.[1];
    for (const [index, name] of ['account-1', 'account-2', 'account-3'].entries()) {
      const psk = (await read(`keys/${name}.key`)).trim();
      const authorization = `Basic ${btoa(`${1_234_567_890 + index}:${psk}`)}`;
      for (const _ of [1, 2]) {
        const headers = { authorization, accept: 'application/json' };
        statuses.push((await fetch(`${url}/public-api/v2/hosts`, { headers })).status);
      }
    }
    place.interrupt();
    await serving;
    expect(statuses).toEqual([200, 200, 200, 429, 503, 503]);
  });
});

describe('--emulator-set', () => {
  it('changes how the embedded service behaves, and asks for it', async () => {
    const { rampart, write } = await workplace();
    await write('settings.yaml', 'faults: [{ effect: { kind: short-list, share: 0.5 } }]\n');
    const listed = async (...flags: readonly string[]) =>
      (JSON.parse((await rampart(['hosts', '--json', ...flags])).out) as unknown[]).length;
    expect(await listed('--emulator')).toBe(40);
    expect(await listed('--emulator-set', '@settings.yaml')).toBe(20);
    // The later setting replaces the file's.
    expect(await listed('--emulator-set', '@settings.yaml', '--emulator-set', 'faults=[]')).toBe(40);
  });

  it('makes writes that do nothing, and a wrong setting is named', async () => {
    const { rampart, write } = await workplace();
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 100000004, name: NEW }\n');
    const lie = ['--emulator-set', 'faults=[{ action: writes, effect: { kind: nothing-done } }]'];
    expect(await rampart(['apply', '--auto-approve', ...lie])).toExit(8);
    const { code, err } = await rampart('hosts --emulator-set retryDelay=maybe');
    expect(code).toBe(3);
    expect(err).toContain('retryDelay: expected true or false');
    expect(err).toContain('--emulator-set:1:');
  });
});
