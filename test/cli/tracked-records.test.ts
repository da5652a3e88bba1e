import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connected } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';

/** A checkout with a change that added a file to the folder of the records. */
async function checkoutWith(file: string) {
  const place = await connected({ hosts: [{ id: '1', name: 'one' }] });
  await place.write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: two }]\n');
  const git = gitIn(place.folder);
  git('init');
  await mkdir(join(place.folder, dirname(file)), { recursive: true });
  await place.write(file, '');
  git('add', '--force', file);
  const path = { PATH: process.env['PATH'] ?? '' };
  const rampart = (command: string, more: Readonly<Record<string, string>> = {}) =>
    place.rampart(command, { env: { ...path, ...more } });
  return { ...place, rampart, nameNow: () => place.emulator.state().hosts[0]?.name };
}

describe('records of earlier runs that are part of the repository', () => {
  it.each([
    'plan',
    'apply --auto-approve',
    'drift',
    'undo --auto-approve',
    'runs',
    'state audit verify',
    'state unlock --reason crash',
  ])('are refused by %s in a pipeline, and nothing is sent', async (command) => {
    const { rampart, nameNow } = await checkoutWith('.rampart/runs/forged.jsonl');
    const { code, err } = await rampart(command, { CI: 'true' });
    expect(err).toContain(
      'the records of earlier runs are part of the repository: .rampart/runs/forged.jsonl',
    );
    expect([code, nameNow()]).toEqual([6, 'one']);
  });

  it('are refused in a folder that another file system takes for the same', async () => {
    const { rampart, nameNow } = await checkoutWith('.RAMPART/fleets/forged');
    const { code, err } = await rampart('apply --auto-approve', { CI: 'true' });
    expect(err).toContain('part of the repository: .RAMPART/fleets/forged');
    expect([code, nameNow()]).toEqual([6, 'one']);
  });

  it('do not stop a person, who has the repository under control', async () => {
    const { rampart, nameNow } = await checkoutWith('.rampart/notes');
    expect((await rampart('apply --auto-approve')).code).toBe(0);
    expect(nameNow()).toBe('two');
  });

  it('do not stop a pipeline that keeps its records in another folder', async () => {
    const { rampart, folder, nameNow } = await checkoutWith('.rampart/notes');
    const ran = await rampart('apply --auto-approve --state-dir .kept', { CI: 'true' });
    expect([ran.code, nameNow()]).toEqual([0, 'two']);
    expect(await readdir(join(folder, '.kept'))).toContain('runs');
  });
});
