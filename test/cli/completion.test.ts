import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Workplace, workplace } from '../given/command-line.ts';
import { hostileNames } from '../given/hostile-names.ts';
import { commandIn, programEnvironment } from '../given/program.ts';

const seed = `companyId: 1234567890
groups:
  - { id: 17, name: Berlin Servers }
  - { id: 18, name: "Dev's $HOME" }
hosts:
  - { id: 1, name: BER-WEB-01, group: Berlin Servers }
  - { id: 2, name: "two\\nlines" }
  - { id: 3, name: LT 07 }
`;

let place: Workplace;

beforeEach(async () => {
  place = await workplace();
  await place.write('seed.yaml', seed);
});

describe('what completes the last word', () => {
  it.each([
    ['the name of a command', ['pl'], ['plan']],
    ['the name of a command within another', ['hosts', 'inventory', 'p'], ['pull']],
    ['a flag', ['plan', '--detailed'], ['--detailed-exitcode']],
    ['a flag that all commands have', ['plan', '--emulator-s'], ['--emulator-state', '--emulator-set']],
    ['one of a few values', ['plan', '--format', 'mark'], ['markdown']],
    ['one of a few values after a sign', ['plan', '--format=mark'], ['--format=markdown']],
    ['one of a few arguments', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['nothing, where all arguments are there', ['completion', 'bash', ''], []],
    ['groups of the seed', ['import', '--emulator=seed.yaml', '--group', 'Ber'], ['Berlin Servers']],
    ['groups after a sign', ['import', '--emulator=seed.yaml', '--group=B'], ['--group=Berlin Servers']],
    [
      'groups after a sign that bash takes for a word',
      ['import', '--emulator', '=', 'seed.yaml', '--group', '=', 'B'],
      ['Berlin Servers'],
    ],
    ['groups right after that sign', ['import', '--emulator=seed.yaml', '--group', '='], 2],
    ['groups within quotation marks', ['import', '--emulator=seed.yaml', '--group', '"Berlin S'], 1],
    ['groups with a backslash', ['import', '--emulator=seed.yaml', '--group', 'Berlin\\ S'], 1],
    ['hosts but those on two lines', ['explain', '--emulator=seed.yaml', ''], ['BER-WEB-01', 'LT 07']],
    ['no group where none is called so', ['import', '--emulator=seed.yaml', '--group', 'x'], []],
    ['no group where the seed is broken', ['import', '--emulator=none.yaml', '--group', ''], []],
    ['hosts of the sample fleet', ['hosts', 'connect', '--emulator', 'BER-'], expect.any(Number)],
  ] as const)('is %s', async (_case, words, expected) => {
    const answer = await ask(words);
    expect(answer.kind).toBe('words');
    if (Array.isArray(expected)) expect(answer.words).toEqual(expected);
    else expect(answer.words.length).toEqual(expected);
  });

  it.each([
    ['a plan', ['apply', '']],
    ['a file of the desired state', ['plan', '-f', '']],
    ['a file that another flag names', ['plan', '--out', 'p']],
    ['a seed', ['plan', '--emulator=se']],
  ])('is a file for %s', async (_case, words) =>
    expect(await ask(words)).toEqual({ kind: 'files', words: [] }),
  );

  it('is no host whose name the command would take for a flag', async () => {
    await place.write(
      'flags.yaml',
      'companyId: 1234567890\nhosts: [{ id: 1, name: --auto-approve }, { id: 2, name: -f }, { id: 3, name: B }]\n',
    );
    expect(await ask(['explain', '--emulator=flags.yaml', ''])).toEqual({ kind: 'words', words: ['B'] });
  });

  it('comes from a snapshot, or from the result of the last run, if the line says so', async () => {
    const emulated = ['--emulator=seed.yaml', '--emulator-state', 'state'];
    await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: RENAMED }]\n');
    await place.rampart(['hosts', 'snapshot', ...emulated, '--out', 'fleet.json']);
    expect(await ask(['plan', '--observed', 'fleet.json', '--target', 'B'])).toMatchObject({
      words: ['BER-WEB-01'],
    });
    expect((await place.rampart(['apply', '--auto-approve', ...emulated])).code).toBe(0);
    expect(await ask(['explain', 'R'])).toMatchObject({ words: ['RENAMED'] });
    expect(await ask(['explain', ...emulated, 'R'])).toMatchObject({ words: ['RENAMED'] });
  });

  it('writes nothing', async () => {
    const before = await readdir(place.folder);
    await ask(['explain', '--emulator=seed.yaml', '--emulator-state', 'new.state', '']);
    expect(await readdir(place.folder)).toEqual(before);
  });
});

const bash = '/bin/bash';

describe.runIf(existsSync(bash))('bash completes', () => {
  it.each([
    ['names with blanks, quoted', 'rampart import --emulator=seed.yaml --group Ber', ['Berlin\\ Servers']],
    ['in quotation marks, as they are', 'rampart import --emulator=seed.yaml --group "B', ['Berlin Servers']],
    ['after a sign', 'rampart import --emulator=seed.yaml --group=D', ["Dev\\'s\\ \\$HOME"]],
    ['no files where a group is meant', 'rampart import --emulator=seed.yaml --group s', []],
    ['files where a plan is meant', 'rampart apply s', ['files']],
  ])('%s', async (_case, line, expected) => expect(await inBash(line)).toEqual(expected));
});

const shellNames = [
  '$(touch ran)',
  '`touch ran`',
  '"; touch ran; "',
  "'; touch ran; '",
  "'$(touch ran)'",
  '\\"$(touch ran)',
  ';touch ran',
  '|touch ran',
  '&touch ran&',
  '>ran',
  '<(touch ran)',
  '\\',
  '!!',
  '!touch',
  '${HOME}',
  '*',
  '{a,b}',
  ...hostileNames.filter((name) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)),
].map((name) => `N${name}`);

describe.runIf(existsSync(bash))('a hostile name that bash completes', () => {
  it.each([
    ['without quotes', ''],
    ['within double quotes', '"'],
    ['within single quotes', "'"],
  ])('%s is one word of the command, and runs nothing', async (_case, quote) => {
    const groups = shellNames.map((name, index) => ({ id: index + 1, name }));
    await place.write('hostile.yaml', JSON.stringify({ companyId: 1234567890, groups, hosts: [] }));
    const offered = await inBash(`rampart import --emulator=hostile.yaml --group ${quote}N`);
    expect(offered.length).toBe(new Set(shellNames).size);
    const lines = offered.map((each) => `printf '%s\\n' ${quote}${each}${quote}\n`);
    await writeFile(join(place.folder, 'line.bash'), lines.join(''));
    const before = await readdir(place.folder);
    const { stdout } = await promisify(execFile)(bash, ['--norc', 'line.bash'], { cwd: place.folder });
    expect(stdout.split('\n').slice(0, -1)).toEqual(offeredNames());
    expect(await readdir(place.folder)).toEqual(before);
  });

  const offeredNames = () => [...new Set(shellNames)];
});

async function ask(words: readonly string[]) {
  const { code, out, err } = await place.rampart(['complete', '--', ...words]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [kind, ...found] = out.split('\n').slice(0, -1);
  return { kind, words: found };
}

/** What the script of `rampart completion bash` would have bash offer for a line. */
async function inBash(line: string): Promise<readonly string[]> {
  const { out } = await place.rampart('completion bash');
  await writeFile(join(place.folder, 'rampart.bash'), out);
  await mkdir(join(place.folder, 'bin'));
  commandIn(join(place.folder, 'bin'));
  const words = line.split(/ |(=)/).filter((each) => each !== undefined && each !== '');
  const script = `compopt() { printf 'files\\n'; }
    source ./rampart.bash
    COMP_WORDS=(${words.map((each) => `$'${each.replaceAll("'", "\\'")}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _rampart
    for each in "\${COMPREPLY[@]}"; do printf '%s\\n' "$each"; done`;
  const { stdout } = await promisify(execFile)(bash, ['--norc', '-c', script], {
    cwd: place.folder,
    env: {
      ...process.env,
      ...programEnvironment,
      PATH: `${join(place.folder, 'bin')}:${process.env['PATH']}`,
    },
  });
  return stdout.split('\n').slice(0, -1);
}
