import { readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const desired = 'version: 1\nhosts:\n  - { id: 1, name: LOBBY }\n';
const seed = 'companyId: 1234567890\nhosts:\n  - { id: 1, name: one }\n';
const emulator = '--emulator=seed.yaml';

async function given() {
  const place = await workplace({ 'seed.yaml': seed, 'fleet.yaml': desired });
  await place.write('fleet.json', '{ "version": 1, "hosts": [] }\n');
  return { ...place, read: (name: string) => readFile(join(place.folder, name), 'utf8') };
}

const apply = `apply --auto-approve ${emulator} --emulator-state state.yaml`;
/** Every flag that takes a file to write, and its content. */
const flags: readonly (readonly [string, string, string])[] = [
  [`plan ${emulator}`, '--out', 'plan'],
  [apply, '--out', 'plan'],
  [`undo ${emulator} --emulator-state state.yaml`, '--out', 'plan'],
  [`hosts snapshot ${emulator}`, '--out', 'snapshot'],
  [apply, '--summary-out', 'summary'],
  [`hosts ${emulator}`, '--log-file', 'log'],
];
const argv = (command: string, flag: string, file: string) => [...command.split(' '), flag, file];

describe.each(flags)('%s %s', (command, flag, kind) => {
  it.each(['fleet.yaml', 'fleet.json', 'seed.yaml', 'notes.txt', 'link'])(
    'never overwrites a file of another kind, and sends nothing: %s',
    async (file) => {
      const { rampart, read, write, folder } = await given();
      await write('notes.txt', 'Ask Ada first.\n');
      await symlink('fleet.yaml', join(folder, 'link'));
      await rampart(`${apply} --quiet`.split(' '));
      const before = [await read(file), await read('state.yaml')];
      const ran = await rampart(argv(command, flag, file));
      expect(ran.err).toContain(`${flag} ${file} would overwrite a file that is not an earlier ${kind}`);
      expect(ran.code).toBe(3);
      expect([await read(file), await read('state.yaml')]).toEqual(before);
    },
  );

  it('replaces an earlier file of its kind and an empty file', async () => {
    const { rampart, read, write } = await given();
    await write('empty', '');
    await rampart(`${apply} --quiet`.split(' '));
    for (const file of ['new', 'new', 'empty']) {
      expect((await rampart(argv(command, flag, file))).err).not.toContain('overwrite');
      expect(await read(file)).toMatch(/^\{/);
    }
  });
});

describe('files of one command', () => {
  it('need a folder that exists', async () => {
    const { rampart } = await given();
    const ran = await rampart(argv(`plan ${emulator}`, '--out', 'none/plan.json'));
    expect(ran.err).toContain("none/plan.json can't be written (ENOENT)\n   = create its folder first");
  });

  it('must not have the same name', async () => {
    const { rampart } = await given();
    const ran = await rampart([...apply.split(' '), '--out', 'a.json', '--summary-out', './a.json']);
    expect([ran.code, ran.err.includes('--summary-out and --out name the same file')]).toEqual([3, true]);
  });

  it('that contain a fleet can be read only by their owner', async () => {
    const { rampart, folder } = await given();
    await rampart(['hosts', 'snapshot', emulator, '--out', 'snapshot.json']);
    await rampart(apply.split(' '));
    const modeOf = async (...path: readonly string[]) => (await stat(join(folder, ...path))).mode & 0o777;
    expect(await modeOf('snapshot.json')).toBe(0o600);
    expect(await modeOf('.rampart', 'fleets')).toBe(0o700);
    expect(await modeOf('.rampart', 'fleets', 'bb1b840af0dcfeb8.snapshot.json')).toBe(0o600);
  });
});
