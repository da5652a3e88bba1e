import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linkedOut } from '../../src/run/state/origin/linked-folder.ts';
import { createStateOpener } from '../../src/terraform/provider/connection/state-opener.ts';
import { workplace } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';

async function given() {
  const place = await workplace();
  const outside = newFolder();
  await place.write('seed.yaml', 'companyId: 1234567890\nhosts:\n  - { id: 1, name: one }\n');
  await place.write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: LOBBY }\n');
  return { ...place, outside };
}

describe('a folder of the state that is a link out of the checkout', () => {
  it.each([
    'plan --emulator=seed.yaml',
    'apply --emulator=seed.yaml --auto-approve',
    'undo --emulator=seed.yaml --auto-approve',
    'runs',
    'state unlock --emulator=seed.yaml --reason test',
    'hosts inventory pull --emulator=seed.yaml --hardware',
    'state export',
  ])('is refused, and nothing is written there: %s', async (command) => {
    const { rampart, folder, outside } = await given();
    await symlink(outside, join(folder, '.rampart'));
    const ran = await rampart(command.split(' '));
    expect(ran.err).toContain(`the folder .rampart is a link out of this checkout, to ${outside}`);
    expect(ran.code).toBe(6);
    expect(await readdir(outside)).toEqual([]);
  });

  it('is refused wherever the link is on the path, and where the folder does not exist yet', async () => {
    const { rampart, folder, outside } = await given();
    await symlink(outside, join(folder, 'data'));
    const ran = await rampart('runs --state-dir data/rampart');
    expect([ran.code, await readdir(outside)]).toEqual([6, []]);
  });

  it('is used if it is passed by its own path, or if the link stays in the repository', async () => {
    const { rampart, folder, outside } = await given();
    await symlink(outside, join(folder, '.rampart'));
    expect((await rampart(['runs', '--state-dir', outside])).code).toBe(0);
    await mkdir(join(folder, '.git'));
    await mkdir(join(folder, 'kept'));
    await mkdir(join(folder, 'site'));
    await symlink('../kept', join(folder, 'site', '.rampart'));
    expect((await rampart('runs', { folder: join(folder, 'site') })).code).toBe(0);
  });

  it('is refused by the Terraform provider', async () => {
    const outside = newFolder();
    const name = `linked-state-${process.pid}`;
    await symlink(outside, name);
    onTestFinished(() => rm(name));
    const opener = createStateOpener({ state: null, state_dir: name, emulator: null }, {});
    if (!opener.ok || opener.value === null) throw new Error('no opener');
    expect(await opener.value.open()).toMatchObject({
      ok: false,
      problems: [
        { code: 'not-approved', message: expect.stringContaining('is a link out of this checkout') },
      ],
    });
  });

  it('is no link where the path leads elsewhere from the start', () =>
    expect(linkedOut('/var/lib/rampart', '/var/lib/rampart', tmpdir())).toBeUndefined());
});
