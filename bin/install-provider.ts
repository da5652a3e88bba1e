import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildProvider } from './provider/build-provider.ts';
import { readFlags } from './provider/flags.ts';
import { installProvider, installRelease } from './provider/install-into-mirror.ts';
import { packageVersion } from './provider/package-version.ts';
import { Refusal, runProgram } from './provider/refusal.ts';
import { targetNameOf } from './provider/target.ts';

const usage = `usage: npm run install:provider -- [<mirror>] [--from <release> | --executable]
  <mirror>       a folder; where Terraform looks by itself, if it is not given
  --from         the folder of a release, instead of what is built here
  --executable   what npm run build:provider made for machines without Node, instead of the script`;

const isWindows = process.platform === 'win32';

await runProgram(async () => {
  const { values, positionals } = readFlags(
    process.argv.slice(2),
    { from: { type: 'string' }, executable: { type: 'boolean', default: false } },
    { usage, positionals: 1 },
  );
  const [mirror = usualMirror()] = positionals;
  const target = targetNameOf(process.platform, process.arch);
  const installed = { version: packageVersion(), target };
  if (values.from !== undefined) {
    if (values.executable) throw new Refusal(`a release decides what it holds.\n${usage}`);
    console.log(installRelease(values.from, mirror, installed));
    return;
  }
  const isExecutable = values.executable || isWindows;
  const built = join(import.meta.dirname, '../dist/provider', isExecutable ? target : 'script');
  if (!existsSync(built) && isExecutable)
    throw new Refusal(`there is no executable for ${target} yet: npm run build:provider makes it.`);
  if (!existsSync(built)) await buildProvider(built);
  console.log(installProvider(built, mirror, installed));
});

/** The folder that Terraform looks into by itself. */
function usualMirror(): string {
  return isWindows
    ? join(process.env['APPDATA'] ?? homedir(), 'terraform.d/plugins')
    : join(homedir(), '.terraform.d/plugins');
}
