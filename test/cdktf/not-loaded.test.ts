import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The packages of CDK for Terraform that programs have loaded, one after the other in one process. */
async function loadedBy(...programs: readonly string[]): Promise<readonly (readonly string[])[]> {
  const script = `
    import { createRequire } from 'node:module';
    const { cache } = createRequire(import.meta.url);
    const loaded = () => Object.keys(cache).flatMap((file) => {
      const [, name] = /node_modules\\/((?:@cdktf\\/[^/]+)|cdkt[fn]|constructs)\\//.exec(file) ?? [];
      return name === undefined ? [] : [name];
    });
    const after = [];
    ${programs.map((each) => `${each}\nafter.push([...new Set(loaded())]);`).join('\n')}
    console.log(JSON.stringify(after));
  `;
  const argv = ['--no-deprecation', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: root });
  return JSON.parse(stdout) as readonly (readonly string[])[];
}

test('the command line and the library never load what only constructs need', async () => {
  const inputs = ['./src/cli/program.ts', './src/index.ts', './src/cli/commands/import.ts'];
  const imports = inputs.map((input) => `await import('${input}');`).join('\n');
  const [own, constructs] = await loadedBy(imports, "await import('./src/cdktf/index.ts');");
  expect(own).toEqual([]);
  expect(constructs).toEqual(expect.arrayContaining(['cdktf', 'constructs', '@cdktf/provider-null']));
});
