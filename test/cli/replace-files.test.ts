import { chmod, chown, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceContent, writeNewFiles } from '../../src/cli/setup/replace-files.ts';
import type { Context } from '../../src/cli/shell/context.ts';
import { newFolder } from '../given/folder.ts';

async function given() {
  const folder = newFolder();
  await writeFile(join(folder, 'fleet.yaml'), 'mine');
  const context = { path: (file: string) => join(folder, file) } as Context;
  return { folder, context, read: () => readFile(join(folder, 'fleet.yaml'), 'utf8') };
}

it('a file that somebody saved after it was read is not replaced', async () => {
  const { folder, context, read } = await given();
  const edit = { file: 'fleet.yaml', text: 'ours', before: 'older' };
  expect(await replaceContent(context, edit)).toMatchObject({
    ok: false,
    problems: [{ message: 'fleet.yaml has changed since Rampart read it' }],
  });
  expect(await read()).toBe('mine');
  expect(await readdir(folder)).toEqual(['fleet.yaml']);
  expect((await replaceContent(context, { ...edit, before: 'mine' })).ok).toBe(true);
  expect(await read()).toBe('ours');
});

it('a replaced file keeps its mode, and a link to it stays', async () => {
  const { folder, context, read } = await given();
  await chmod(join(folder, 'fleet.yaml'), 0o666);
  await symlink('fleet.yaml', join(folder, 'link.yaml'));
  expect((await writeNewFiles(context, [{ file: 'link.yaml', text: 'ours' }], true)).ok).toBe(true);
  expect(await read()).toBe('ours');
  expect((await stat(join(folder, 'fleet.yaml'))).mode & 0o777).toBe(0o666);
});

it.runIf(process.getuid?.() === 0)('a replaced file keeps its owner and its group', async () => {
  const { folder, context } = await given();
  await chown(join(folder, 'fleet.yaml'), 1234, 2345);
  expect((await replaceContent(context, { file: 'fleet.yaml', text: 'ours' })).ok).toBe(true);
  expect(await stat(join(folder, 'fleet.yaml'))).toMatchObject({ uid: 1234, gid: 2345 });
});

it('a device is not written', async () => {
  const context = { path: (file: string) => file } as Context;
  expect((await writeNewFiles(context, [{ file: '/dev/null', text: 'ours' }], true)).ok).toBe(false);
});
