import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from './given/grpc-client.ts';
import { startProvider } from './given/provider-process.ts';

const nullMain = '../../null-provider/main.ts';
const shutdown = '/plugin.GRPCController/Shutdown';

test('the plugin describes itself and exits if a person starts it', () => {
  const main = join(import.meta.dirname, '../null-provider/main.ts');
  const { TF_PLUGIN_MAGIC_COOKIE: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('plugin of Terraform');
});

test('SIGINT is ignored, and a shutdown is answered and ends it at once and cleanly', async () => {
  const provider = await startProvider(nullMain);
  provider.process.kill('SIGINT');
  const client = connect(provider.address);
  expect((await client.call('GetMetadata')).resources).toHaveLength(1);
  expect(await client.raw(shutdown, new Uint8Array())).toHaveLength(0);
  expect(await provider.ended).toBe(0);
  expect(existsSync(provider.address.text)).toBe(false);
  expect(provider.stderr()).toBe('');
  client.close();
});

test('the plugin exits when its parent process has ended', async () => {
  const provider = await startProvider(nullMain);
  const client = connect(provider.address);
  await client.call('GetMetadata');
  client.close();
  expect(await provider.ended).toBe(0);
  expect(existsSync(provider.address.text)).toBe(false);
});

test('printed text goes to stderr, and a crash has the form that Terraform shows', async () => {
  const provider = await startProvider('noisy-main.ts');
  expect(provider.line).toMatch(/^1\|6\|unix\|/);
  const client = connect(provider.address);
  await client.call('ConfigureProvider').catch(() => undefined);
  expect(await provider.ended).toBe(2);
  expect(provider.stderr()).toMatch(/^loading$/m);
  expect(provider.stderr()).toMatch(/^panic: out of paper$/m);
  expect(existsSync(provider.address.text)).toBe(false);
  client.close();
});

test('with --debug it serves one command after another, and ends when it is interrupted', async () => {
  const provider = await startProvider(nullMain, ['--debug']);
  expect(provider.line).toMatch(/^TF_REATTACH_PROVIDERS='\{"registry.terraform.io\/hashicorp\/null":/);
  for (let each = 0; each < 3; each += 1) {
    const client = connect(provider.address);
    expect((await client.call('GetMetadata')).resources).toHaveLength(1);
    client.close();
  }
  provider.process.kill('SIGINT');
  expect(await provider.ended).toBe(0);
});
