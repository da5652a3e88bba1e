import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the main job on the emulator: plan, apply, and a second plan that must find nothing to do. It runs the commands
 * that a user would type, and ends with 0 only if all three succeed.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const desired = 'examples/main-job/fleet.yaml';
const seed = '--emulator=examples/main-job/seed.yaml';

const folder = await mkdtemp(join(tmpdir(), 'rampart-main-job-'));
const keep = ['--emulator-state', join(folder, 'fleet.yaml'), '--state-dir', join(folder, 'state')];
const planFile = join(folder, 'plan.json');

try {
  process.exitCode = await runAll([
    ['plan', '-f', desired, '--out', planFile, seed, ...keep],
    ['apply', planFile, seed, ...keep],
    ['plan', '-f', desired, '--detailed-exitcode', seed, ...keep],
  ]);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runAll(commands: readonly (readonly string[])[]): Promise<number> {
  for (const argv of commands) {
    process.stdout.write(`\n$ rampart ${argv.join(' ')}\n\n`);
    const code = await rampart(argv);
    if (code !== 0) {
      process.stdout.write(`\nIt ended with exit code ${code}.\n`);
      return 1;
    }
  }
  process.stdout.write(
    '\nThe fleet is as examples/main-job/fleet.yaml says, and planning again finds nothing to do.\n',
  );
  return 0;
}

function rampart(argv: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...argv], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
