import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedProgram } from './measured-server.ts';

/** A folder with a rampart.config.yaml for the accounts of an emulated service, which runs in a separate process. */
export interface ServedAccounts {
  readonly folder: string;
  readonly config: string;
  readonly stop: () => void;
}

/** The rule of the desired state selects no host. */
export async function serveAccounts(
  accounts: number,
  hosts: number,
  cadence: string,
): Promise<ServedAccounts> {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-server-checks-'));
  const config = join(folder, 'rampart.config.yaml');
  const options = ['--accounts', `${accounts}`, '--hosts', `${hosts}`, '--write-config', config, '--json'];
  const emulator = spawn(process.execPath, [await publishedProgram(), 'emulator', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(emulator.stdout, 'data');
  writeFileSync(
    join(folder, 'fleet.yaml'),
    'version: 1\nrules:\n  - name: none\n    when: host.name.startsWith("OLD-")\n    rename: "N-${host.id}"\n',
  );
  const text = readFileSync(config, 'utf8').replace('mode: correct', 'mode: propose\n  files: [fleet.yaml]');
  writeFileSync(config, text);
  appendFileSync(config, `server: { cadence: ${cadence}, listen: "127.0.0.1:0" }\n`);
  return {
    folder,
    config,
    stop() {
      emulator.kill();
      rmSync(folder, { recursive: true });
    },
  };
}
