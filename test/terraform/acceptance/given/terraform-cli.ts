import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, onTestFinished, type TestFunction, test } from 'vitest';

type Program = 'terraform' | 'tofu' | 'newer';

/** Names a Terraform of version 1.14 or newer. */
const newerVariable = 'RAMPART_TERRAFORM';

/** Where the real programs are, or null. */
const paths: Readonly<Record<Program, string | null>> = {
  terraform: onPath('terraform'),
  tofu: onPath('tofu'),
  newer: process.env[newerVariable] || null,
};

/** What the suite that runs now is about. */
let program: Program = 'terraform';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, for code that can be in either. */
  readonly output: string;
}

/** A folder with configuration and state, and the `terraform` that works in it. */
export interface Workspace {
  readonly folder: string;
  write(name: string, text: string): void;
  run(...args: readonly string[]): Promise<Finished>;
  /** Like `run`, and `onOutput` sees stdout as it grows and may interrupt. */
  watch(
    args: readonly string[],
    onOutput: (stdout: string, interrupt: () => void) => void,
  ): Promise<Finished>;
}

/** An empty workspace, removed with the test. */
export function createWorkspace(env: Readonly<Record<string, string>>): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'terraform-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return workspaceIn(folder, env);
}

/** A workspace in a folder that is there. */
export function workspaceIn(folder: string, env: Readonly<Record<string, string>>): Workspace {
  const watch: Workspace['watch'] = (args, onOutput) =>
    new Promise((resolve, reject) => {
      const child = spawn(paths[program] ?? program, args, {
        cwd: folder,
        env: { ...ownEnvironment(), CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        onOutput(stdout, () => child.kill('SIGINT'));
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.once('error', reject);
      child.once('close', (status) => resolve({ status, stdout, stderr, output: stdout + stderr }));
    });
  return {
    folder,
    write: (name, text) => writeFileSync(join(folder, name), text),
    run: (...args) => watch(args, () => undefined),
    watch,
  };
}

type Define = (terraformTest: (name: string, run: TestFunction, timeoutMs?: number) => void) => void;

/** Tests that need the real `terraform`: without it they are skipped, and the notice counts them. */
export function describeTerraform(name: string, define: Define): void {
  describeFor('terraform', name, define);
}

/** The same, and once more under OpenTofu if it is installed. */
export function describeTerraformAndTofu(name: string, define: Define): void {
  describeFor('terraform', name, define);
  describeFor('tofu', `${name} (OpenTofu)`, define);
}

/** Tests that need the Terraform that RAMPART_TERRAFORM names; skipped if it names none. */
export function describeNewerTerraform(name: string, define: Define): void {
  describeFor('newer', name, define);
}

function describeFor(own: Program, name: string, define: Define): void {
  describe(name, () => {
    beforeAll(() => {
      program = own;
    });
    let count = 0;
    define((each, run, timeoutMs = 120_000) => {
      count += 1;
      test.skipIf(paths[own] === null)(each, run, timeoutMs);
    });
    if (paths[own] === null)
      console.warn(`notice: ${count} tests of "${name}" are skipped, as ${whyMissing(own)}`);
  });
}

/** Nothing of the user's own Terraform. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TF_')));
}

function onPath(name: string): string | null {
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  return found ?? null;
}

function whyMissing(own: Program): string {
  return own === 'newer'
    ? `${newerVariable} names no Terraform of version 1.14 or newer`
    : `there is no ${own} on the PATH`;
}
