import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Workplace, workplace } from '../../given/command-line.ts';

/** Serves until it says where, then ends; what it printed. */
async function served({ rampart, interrupt }: Workplace, ...flags: readonly string[]) {
  const serving = rampart(['emulator', ...flags]);
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
    const { code, out } = await served(await workplace(), '--hosts', '1');
    expect(code).toBe(0);
    expect(out).toMatch(/^export RAMPART_COMPANY_ID=1234567890$/m);
    expect(out).toMatch(/^export RAMPART_PSK=rampart-emulator-key-[\w-]+$/m);
    expect(out).toContain('RAMPART_SESSION_ID=rampart-emulator-session RAMPART_PROFILE_ID=4711');
  });

  it('prints the credentials of each of many accounts', async () => {
    const { out } = await served(await workplace(), '--accounts', '3', '--hosts', '2');
    expect(out).toContain('An emulated service with 3 accounts and 6 hosts runs at http://127.0.0.1:');
    expect(out.match(/^export RAMPART_COMPANY_ID=\d+$/gm)).toEqual(
      [1234567890, 1234567891, 1234567892].map((id) => `export RAMPART_COMPANY_ID=${id}`),
    );
    expect(new Set(out.match(/^export RAMPART_PSK=.*$/gm)).size).toBe(3);
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
      ['seeds/b.yaml has the same company id 7 as seeds/a.yaml', 'a unique companyId'],
    ],
    [
      'problems in several seeds, all at once',
      { 'a.yaml': 'hosts: [{}]', 'b.yaml': 'hots: []' },
      ['seeds/a.yaml:1:9', 'seeds/b.yaml:1:1', 'did you mean "hosts"?'],
    ],
  ])('refuses %s', async (_, files, words) => {
    const place = await seedFolder(files);
    const { code, err } = await place.rampart(['emulator', '--seed', 'seeds']);
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
    const applied = await rampart(['apply', '--auto-approve', ...lie]);
    expect(applied.code).toBe(8);
    const { code, err } = await rampart(['hosts', '--emulator-set', 'retryDelay=maybe']);
    expect(code).toBe(3);
    expect(err).toContain('retryDelay: expected true or false');
    expect(err).toContain('--emulator-set:1:');
  });
});
