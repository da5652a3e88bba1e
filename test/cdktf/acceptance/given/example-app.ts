import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../../given/folder.ts';
import { type Workspace, workspaceIn } from '../../../terraform/acceptance/given/terraform-cli.ts';

const examples = join(import.meta.dirname, '../../../../examples');

export interface ExampleApp {
  /** Where the program is started. */
  readonly folder: string;
  /** Runs the program, as `cdktf.json` has it. */
  synth(): void;
  /** Terraform in the folder of a stack. */
  stack(name: string): Workspace;
  read(file: string): string;
}

/** An example in a separate folder, removed with the test. */
export function exampleApp(program: string, env: Readonly<Record<string, string>>): ExampleApp {
  const folder = newFolder();
  return {
    folder,
    synth: () =>
      void execFileSync(process.execPath, ['--no-deprecation', join(examples, program)], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    stack: (name) => workspaceIn(join(folder, 'cdktf.out/stacks', name), env),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
  };
}
