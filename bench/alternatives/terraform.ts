import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../measure/whole-process.ts';
import type { DesiredHost } from './reorganization.ts';

/** `terraform plan` with its own resource kind for each host, in a block each, which it plans fastest. */
export function terraformPlan(folder: string, hosts: readonly DesiredHost[]): Command {
  mkdirSync(folder, { recursive: true });
  const blocks = hosts.map(
    ({ id, name, groupId }) =>
      `resource "terraform_data" "host_${id}" {\n  input = { name = "${name}", group = "${groupId}" }\n}\n`,
  );
  writeFileSync(join(folder, 'main.tf'), blocks.join('\n'));
  const env = { CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
  execFileSync('terraform', ['init', '-no-color'], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  return { file: 'terraform', argv: ['plan', '-no-color', '-out=plan.bin'], cwd: folder, env };
}

export function hasTerraform(): boolean {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
