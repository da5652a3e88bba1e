import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Every bench, one after another, each in a process of its own. */
const benches = ['exact-json.ts', 'yaml.ts', 'pacer.ts', 'apply.ts', 'rules.ts', 'cel-libraries.ts'];

for (const bench of benches) {
  console.log(`\n# ${bench}\n`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, bench)], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
