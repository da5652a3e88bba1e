import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The packages whose speed affects the figures. */
const packages = [
  'undici',
  'zod',
  'yaml',
  'commander',
  'temporal-polyfill',
  '@bufbuild/cel',
  'esbuild',
  'cdktf',
  '@grpc/grpc-js',
];

/** What the figures were measured on, a line each. */
export function describeMachine(): readonly string[] {
  const gib = (totalmem() / 2 ** 30).toFixed(1);
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${gib} GiB of memory`,
    `${type()} ${release()}; load over the last minute when it began: ${loadavg()[0]?.toFixed(1)}`,
    `Node ${process.versions.node} (V8 ${process.versions.v8})`,
    packages.map((name) => `${name} ${versionOf(name)}`).join(', '),
  ];
}

function versionOf(name: string): string {
  const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
