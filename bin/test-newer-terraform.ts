import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Refusal, runProgram } from './provider/refusal.ts';

/** The first Terraform with list resources and actions. */
const oldest = [1, 14] as const;

const root = join(import.meta.dirname, '..');
const variable = 'RAMPART_TERRAFORM';

// Runs the tests of list resources and actions, which need a newer Terraform than all other tests.
await runProgram(async () => {
  const named = process.argv[2] ?? process.env[variable];
  const program = named || 'terraform';
  const version = versionOf(program);
  const why =
    version === null
      ? `${program} is not a Terraform that starts`
      : isNewEnough(version)
        ? null
        : `${program} is Terraform ${version}`;
  if (why !== null) {
    const needed = `list resources and actions need Terraform ${oldest.join('.')} or newer`;
    const hint = `Name one: npm run test:newer-terraform -- /path/to/terraform`;
    if (named) throw new Refusal(`${why}, and ${needed}. ${hint}`);
    console.log(`Skipped: ${why}, and ${needed}. ${hint}`);
    return;
  }
  console.log(`Terraform ${version}: ${program}`);
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/terraform/acceptance/newer-terraform.test.ts'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, [variable]: program } },
  );
  process.exitCode = status ?? 1;
});

/** Null: there is no such program, or it does not print a version. */
function versionOf(program: string): string | null {
  const { stdout } = spawnSync(program, ['version', '-json'], {
    encoding: 'utf8',
    timeout: 30_000,
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  });
  return /"terraform_version":\s*"(\d+\.\d+\.[^"]+)"/.exec(stdout ?? '')?.[1] ?? null;
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}
