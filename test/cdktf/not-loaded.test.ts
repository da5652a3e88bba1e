import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The packages of CDK for Terraform that a program has loaded once it is done. */
async function loadedBy(program: string): Promise<readonly string[]> {
  const script = `
    import { createRequire } from 'node:module';
    ${program}
    const { cache } = createRequire(import.meta.url);
    const files = Object.keys(cache).filter((file) => /node_modules\\/(?:cdkt[fn]|constructs|@cdktf)\\//.test(file));
    console.error('loaded', new Set(files.map((file) => file.replace(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+).*/, '$1'))));
  `;
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--no-deprecation', '--input-type=module', '-e', script],
    { cwd: root },
  );
  const [, words = ''] = /loaded Set\(\d+\) \{([^}]*)\}/.exec(stderr) ?? [];
  return [...words.matchAll(/'([^']+)'/g)].map(([, word]) => word as string);
}

test('the command line and the library never load what only constructs need', async () => {
  const inputs = ['./src/cli/program.ts', './src/index.ts', './src/cli/commands/import.ts'];
  const imports = inputs.map((input) => `await import('${input}');`).join('\n');
  expect(await loadedBy(imports)).toEqual([]);
});

test('the constructs do', async () => {
  expect(await loadedBy("await import('./src/cdktf/index.ts');")).toEqual(
    expect.arrayContaining(['cdktf', 'constructs', '@cdktf/provider-null']),
  );
});
