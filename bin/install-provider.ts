import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildProvider } from './provider/build-provider.ts';
import { readFlags } from './provider/flags.ts';
import { installProvider, installRelease } from './provider/install-into-mirror.ts';
import { isNewEnough, nodeOnPath, oldestNode } from './provider/node-on-path.ts';
import { packageVersion } from './provider/package-version.ts';
import { Refusal, runProgram } from './provider/refusal.ts';
import { targetNameOf } from './provider/target.ts';

const usage = `usage: npm run install:provider -- [<mirror>] [--from <release> | --executable]
  <mirror>       a folder (default: the folder that Terraform searches)
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
  const found = isWindows ? null : nodeOnPath(process.env['PATH'] ?? '');
  const whatIsFound = found === null ? 'there is no Node on the PATH' : `the Node on the PATH is ${found}`;
  if (values.from !== undefined) {
    if (values.executable) throw new Refusal(`a release decides what it holds.\n${usage}`);
    const home = installRelease(values.from, mirror, installed);
    console.log(home);
    if (existsSync(join(home, 'lib')) && !isNewEnough(found))
      console.error(
        `${whatIsFound}, and this provider needs Node ${oldestNode} or newer: put it on the PATH of Terraform, or install a release whose archive for ${target} has Node inside.`,
      );
    return;
  }
  const isExecutable = values.executable || isWindows;
  const built = join(import.meta.dirname, '../dist/provider', isExecutable ? target : 'script');
  if (!existsSync(built) && isExecutable)
    throw new Refusal(`there is no executable for ${target} yet: npm run build:provider makes it.`);
  // Built again, so that the sources and the installed provider never differ.
  if (!isExecutable) await buildProvider(built);
  const ownNode = isExecutable || isNewEnough(found) ? null : process.execPath;
  console.log(installProvider(built, mirror, installed, ownNode));
  if (ownNode !== null)
    console.error(
      `${whatIsFound}, so the installed provider is started by ${ownNode}. Install it again if you move or remove this checkout.`,
    );
});

/** The folder that Terraform looks into by itself. */
function usualMirror(): string {
  return isWindows
    ? join(process.env['APPDATA'] ?? homedir(), 'terraform.d/plugins')
    : join(homedir(), '.terraform.d/plugins');
}
