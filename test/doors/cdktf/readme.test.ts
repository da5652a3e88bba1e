import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

test('the app that the README shows synthesises', async () => {
  const [, text = ''] =
    /```ts\n(\/\/ stack\.ts\n[\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'stack.ts'),
    text.replace("'rampart/cdktf'", "'../../src/doors/cdktf/index.ts'"),
  );
  writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 5, name: A }\n');
  await promisify(execFile)(process.execPath, ['--no-deprecation', 'stack.ts'], { cwd: folder });
  const stack = JSON.parse(readFileSync(join(folder, 'cdktf.out/stacks/berlin/cdk.tf.json'), 'utf8')) as {
    readonly resource: Readonly<Record<string, object>>;
  };
  expect(Object.keys(stack.resource['rampart_host'] ?? {})).toEqual([
    expect.stringMatching(/^offices_host-5_/) as unknown,
    'web-1',
  ]);
  expect(stack.resource['rampart_group_members']).toMatchObject({
    kiosks: { group: 'Kiosks', host_ids: ['1004'], mode: 'authoritative' },
  });
});
