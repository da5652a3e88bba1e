import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../measure/whole-process.ts';

export interface Workspace {
  /** Replaces the files; the provider is looked up again. */
  configure(files: Readonly<Record<string, string>>): Promise<void>;
  readState(): string;
  /** Null: nothing has been applied yet. */
  writeState(text: string | null): void;
  /** Milliseconds; `terraform plan -detailed-exitcode` may end with one of these. */
  plan(exitCode: 0 | 2): Promise<number>;
  apply(): Promise<number>;
  /** The peak memory of the largest provider process so far, in MB; 0 if the system does not report it. */
  providerPeakMb(): number;
}

/** A folder for the real `terraform`, with nothing of the user's own settings. */
export function createWorkspace(folder: string, env: Readonly<Record<string, string>>): Workspace {
  mkdirSync(folder, { recursive: true });
  const state = join(folder, 'terraform.tfstate');
  let providerPeakMb = 0;
  const run = async (argv: readonly string[], expected = 0): Promise<number> => {
    const {
      ms,
      exitCode,
      stdout,
      childPeakMb = 0,
    } = await runProcess({
      file: 'terraform',
      argv: [...argv, '-no-color'],
      cwd: folder,
      env: { ...env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
      // A plan with changes ends with 2.
      mayFail: expected !== 0,
    });
    providerPeakMb = Math.max(providerPeakMb, childPeakMb);
    if (exitCode !== expected)
      throw new Error(`terraform ${argv.join(' ')} ended with ${exitCode}, not ${expected}:\n${stdout}`);
    return ms;
  };
  return {
    async configure(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      await run(['init']);
    },
    readState: () => readFileSync(state, 'utf8'),
    writeState(text) {
      if (text === null) rmSync(state, { force: true });
      else writeFileSync(state, text);
    },
    plan: (exitCode) => run(['plan', '-detailed-exitcode'], exitCode),
    apply: () => run(['apply', '-auto-approve']),
    providerPeakMb: () => providerPeakMb,
  };
}
