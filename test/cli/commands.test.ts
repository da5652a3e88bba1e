import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = {
  groups: [
    { id: '17', name: 'Berlin' },
    { id: '18', name: null },
  ],
  hosts: [
    { id: '9223372036854775807', name: 'BIG', groupId: '17' },
    { id: '9007199254740993', name: null, online: false },
    { id: '7', name: 'SMALL', groupId: '18' },
  ],
};

describe('hosts', () => {
  it('is a table with exact ids', async () => {
    const { rampart } = await connected(fleet);
    expect((await rampart('hosts')).out).toBe(
      [
        'ID                   NAME       GROUP     STATE',
        '9223372036854775807  BIG        Berlin    online',
        '9007199254740993     (no name)  -         offline',
        '7                    SMALL      group 18  online',
        '',
      ].join('\n'),
    );
  });

  it('writes only data to stdout', async () => {
    const { rampart } = await connected(fleet);
    const loud = await rampart('hosts -v');
    expect(loud.out).toBe((await rampart('hosts')).out);
    expect(loud.err).toMatch(/GET \/public-api\/v2\/hostswithgroups → 200 in \d+ ms/);
  });
});

it('doctor credentials takes a login session', async () => {
  const { rampart } = await workplace();
  const { env, emulator } = await givenService(fleet);
  const { loginSessionId, profileId } = emulator.credentials;
  const session = {
    RAMPART_BASE_URL: env['RAMPART_BASE_URL'],
    RAMPART_SESSION_ID: loginSessionId,
    RAMPART_PROFILE_ID: profileId,
  };
  expect((await rampart('doctor credentials', { env: session })).code).toBe(0);
  const half = await rampart('doctor credentials', { env: { ...session, RAMPART_PROFILE_ID: '' } });
  expect(half.code).toBe(3);
  expect(half.err).not.toContain(loginSessionId);
});

describe('snapshot', () => {
  it('is what plan --observed plans on, with no credentials and no request', async () => {
    const { rampart, write } = await workplace();
    const { env, emulator } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 9223372036854775807, name: BIGGER }\n');
    expect((await rampart('hosts snapshot --out saved.json', { env })).code).toBe(0);
    const requests = emulator.requests.length;
    const offline = await rampart('plan --observed saved.json --detailed-exitcode');
    expect(offline.code).toBe(2);
    expect(offline.out).toContain('BIG  →  BIGGER  9223372036854775807');
    expect(emulator.requests).toHaveLength(requests);
    const live = await rampart('plan --json', { env });
    const saved = await rampart('plan --json --observed saved.json');
    expect(JSON.parse(saved.out).steps).toEqual(JSON.parse(live.out).steps);
  });

  it('that is none is refused', async () => {
    const { rampart, write } = await workplace({ 'fleet.yaml': 'version: 1\nhosts: []\n' });
    await write('none.json', '[]');
    expect((await rampart('plan --observed none.json')).code).toBe(3);
  });
});

describe('the embedded emulator', () => {
  it('has a sample fleet, and the same one each time', async () => {
    const { rampart } = await workplace();
    const first = await rampart('hosts --emulator --json');
    expect(JSON.parse(first.out)).toHaveLength(40);
    expect((await rampart('--emulator hosts --json')).out).toBe(first.out);
  });

  it('takes its fleet from a seed, and keeps it between commands', async () => {
    const { rampart, write, folder } = await workplace();
    await write('seed.yaml', 'hosts:\n  - { id: 1, name: A }\n  - { id: 2, name: B }\n');
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: B }\n  - { id: 2, name: A }\n');
    const flags = ['--emulator=seed.yaml', '--emulator-state', 'state.yaml'];
    expect((await rampart(['apply', '--auto-approve', ...flags])).code).toBe(0);
    expect((await rampart(['hosts', ...flags])).out).toMatch(/1 +B .*\n2 +A /);
    expect(await readFile(join(folder, 'seed.yaml'), 'utf8')).toContain('{ id: 1, name: A }');
    expect((await rampart(['plan', '--detailed-exitcode', ...flags])).code).toBe(0);
  });

  it('does not take the next word as a seed', async () => {
    const { rampart } = await workplace({ 'fleet.yaml': 'version: 1\nhosts: []\n' });
    await rampart('plan --out plan.json --emulator');
    expect(await rampart('apply --emulator plan.json')).toExit(0);
  });

  it('refuses a seed that is wrong or missing', async () => {
    const { rampart } = await workplace({ 'seed.yaml': 'hosts:\n  - { nmae: A }\n' });
    expect(await rampart('hosts --emulator=seed.yaml')).toExit(3, 'seed.yaml:2:', { out: '' });
    expect(await rampart('hosts --emulator=missing.yaml')).toExit(3, 'missing.yaml', { out: '' });
  });

  it("does not lose a state file that it can't read", async () => {
    const { rampart, folder } = await workplace({ 'state.yaml': 'hosts: [' });
    expect((await rampart('hosts --emulator --emulator-state state.yaml')).code).toBe(3);
    expect(await readFile(join(folder, 'state.yaml'), 'utf8')).toBe('hosts: [');
  });
});

/** The names in the groups of `rampart --help`. */
function commandsOf(help: string): readonly string[] {
  const list = help.slice(help.indexOf('commands:\n'), help.indexOf('Options:'));
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] ?? '');
}

describe('help and version', () => {
  it('there are at most 24 commands at the top, each with examples', async () => {
    const { rampart } = await workplace();
    const { out } = await rampart('--help');
    const names = commandsOf(out);
    expect(names.length).toBeGreaterThan(20);
    expect(names.length).toBeLessThanOrEqual(24);
    for (const name of names.filter((each) => each !== 'help')) {
      const help = await rampart([name, '--help']);
      expect(help.code, name).toBe(0);
      expect(help.out, name).toContain(`$ rampart ${name}`);
    }
  });

  it('a command only names the flags that few need, so each help fits a screen of 50 lines', async () => {
    const { rampart } = await workplace();
    const { out: all } = await rampart('help', { terminal: true, columns: 100 });
    for (const [, name = ''] of all.matchAll(/^ {2}([a-z]+) {2}/gm)) {
      const { out } = await rampart([name, '--help'], { terminal: true, columns: 100 });
      expect(out.split('\n').length, name).toBeLessThanOrEqual(50);
      expect(out, name).toMatch(/^More flags:\n(?: {2}.*\n)* {2}rampart help flags +--format /m);
    }
  });

  it.each([
    ['planning', '--batch-size <count>', 'Send at most this many hosts in one call'],
    ['running', '--deadline <time>', 'Start no new step after this time.'],
    ['rollouts', '--wave-pause <time>', 'With several accounts, wait'],
    ['flags', '--max-wait <time>', 'Wait at most this long for a rate limit'],
  ])('help %s explains %s', async (topic, flag, meaning) => {
    const { rampart } = await workplace();
    const help = await rampart(['help', topic], { terminal: true, columns: 100 });
    expect(help.code).toBe(0);
    expect(help.out.split('\n').find((line) => line.startsWith(`  ${flag} `))).toContain(meaning);
    const apply = await rampart('apply --help', { terminal: true, columns: 100 });
    expect(apply.out).toContain(flag.split(' ')[0]);
    expect(apply.out).not.toContain(meaning);
  });

  it.each([
    ['import --by-group ids', "unknown option '--by-group'", 'rampart import ids --help'],
    ['import ids --by-group', "unknown option '--by-group'", 'rampart import ids --help'],
    ['hosts groups --where host.online', "unknown option '--where'", 'rampart hosts groups --help'],
    [`plan ${'Qq7k'.repeat(32)}`, 'takes no argument "…"', 'rampart plan -f …'],
    [`import ${'Qq7k'.repeat(32)}`, '"rampart import …"', 'rampart import --help'],
    ['plan --psk=Qq7kQq7k', "unknown option '--psk'", 'no flag takes a secret'],
    ['plan --shade=Qq7kQq7k', "unknown option '--shade'\n", 'rampart plan --help'],
    ['hosts groups --server', 'does not ask a Rampart server', 'server status, hosts'],
  ])('a flag that a command lacks is refused, and its value not shown: %s', async (line, message, hint) => {
    const { rampart } = await workplace();
    const { code, err } = await rampart(line.split(' '));
    expect(code).toBe(3);
    expect(err).toContain(message);
    expect(err).toContain(hint);
    expect(err).not.toContain('Qq7k');
  });

  it.each(['hosts --limit 3 groups', 'import new --observed none.json', 'import --observed none.json new'])(
    'a flag of both commands is one of the command that is called: %s',
    async (line) => {
      const { rampart } = await workplace();
      const { err } = await rampart(line.split(' '));
      expect(err.includes('unknown option')).toBe(line.includes('--limit'));
    },
  );

  it.each([
    ['list', 'did you mean "rampart hosts"?'],
    ['diff', 'did you mean "rampart plan"?'],
    ['whoami', 'did you mean "rampart doctor credentials"?'],
    ['groups', 'did you mean "rampart hosts groups"?'],
    ['plan --dry-run', 'leave it out: rampart plan never changes anything'],
    ['apply --dry-run', 'rampart plan shows what would change, and changes nothing'],
    ['apply --yes', 'did you mean --auto-approve?'],
    ['undo -y', 'did you mean --auto-approve?'],
    ['plan -o plan.json', 'did you mean --format or --out?'],
    ['hosts -o json', 'did you mean --format?'],
    ['hosts --output=x', 'did you mean --format?'],
    ['plan --yes', 'see rampart plan --help'],
    ['plan --debug', 'did you mean --verbose?'],
    ['plan --strct', 'Did you mean --strict?'],
  ])('a word of another program leads to the one of this: %s', async (line, hint) => {
    const { rampart } = await workplace();
    expect(await rampart(line.split(' '))).toExit(3, `   = ${hint}\n`);
  });

  it('all commands are listed in groups, each once and on few lines, before the options', async () => {
    const { rampart } = await workplace();
    const { out } = await rampart('--help', { terminal: true, columns: 100 });
    const groups = [...out.matchAll(/^(\S.*):\n(?= {2}[a-z])/gm)].map(([, title]) => title);
    expect(groups).toEqual([
      'Everyday commands',
      'Review and tests',
      'Hosts',
      'Several accounts',
      'Server',
      'State of runs',
      'Tools and help',
      'More flags',
    ]);
    const names = commandsOf(out);
    expect(names.length).toBe(new Set(names).size);
    expect(out.indexOf('Options:')).toBeGreaterThan(out.indexOf('  completion '));
    const lines = out.slice(0, out.indexOf('Options:')).split('\n');
    expect(lines.length).toBeLessThan(names.length + 3 * groups.length + 15);
    // A command in no group would be listed under this heading.
    expect(out).not.toMatch(/^Commands:/m);
  });

  it('no command at all is a usage error that shows the help', async () => {
    const { rampart } = await workplace();
    expect(await rampart([])).toExit(3, 'Usage: rampart');
  });
});

describe('color', () => {
  const cases = [
    ['a terminal', { terminal: true }, [], true],
    ['no terminal', {}, [], false],
    ['NO_COLOR on a terminal', { terminal: true, env: { NO_COLOR: '1' } }, [], false],
    ['an empty NO_COLOR on a terminal', { terminal: true, env: { NO_COLOR: '' } }, [], true],
    ['--no-color on a terminal', { terminal: true }, ['--no-color'], false],
    ['FORCE_COLOR without a terminal', { env: { FORCE_COLOR: '1' } }, [], true],
    ['FORCE_COLOR=0 on a terminal', { terminal: true, env: { FORCE_COLOR: '0' } }, [], false],
    ['--no-color with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, ['--no-color'], false],
    ['a dumb terminal', { terminal: true, env: { TERM: 'dumb' } }, [], false],
  ] as const;
  it.each(cases)('%s', async (_, options, flags, isColored) => {
    const { rampart } = await workplace();
    const { out } = await rampart(['hosts', '--emulator', ...flags], options);
    expect(out.includes('\u001b[')).toBe(isColored);
  });
});

it('--quiet leaves stderr to errors', async () => {
  const { rampart, write } = await workplace();
  await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: " A" }\n');
  await write('seed.yaml', 'hosts:\n  - { id: 1, name: B }\n');
  const flags = ['--emulator=seed.yaml', '--emulator-state', 's.yaml'];
  expect((await rampart(['apply', '--auto-approve', '-q', ...flags])).err).toBe('');
  expect((await rampart('plann -q')).err).not.toBe('');
});
