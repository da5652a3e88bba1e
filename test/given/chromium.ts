import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { builtOnce } from './built-once.ts';

const root = join(import.meta.dirname, '../..');
const packaged = join(root, 'node_modules/@sparticuz/chromium');
const isPackaged = process.platform === 'linux' && process.arch === 'x64' && existsSync(packaged);
const installed = '/usr/bin/chromium';

/** Is there a browser for tests? On Linux with an x64 processor, a development package contains one. */
export const hasChromium = isPackaged || existsSync(installed);
if (!hasChromium)
  console.info(
    `No package contains Chromium for this platform, and there is no ${installed}: its tests are skipped.`,
  );

/** Starts the Chromium of the development package, or that of this machine on a platform without the package. */
export async function launchChromium(): Promise<Browser> {
  const program = isPackaged ? await unpackedChromium() : { executablePath: installed };
  return chromium.launch({
    ...program,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Each test opens the pages of one address, and a new process for each would take longer than most tests.
      '--process-per-site',
      '--renderer-process-limit=1',
    ],
  });
}

async function unpackedChromium(): Promise<LaunchOptions> {
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8')) as { version: string };
  const folder = await builtOnce('chromium', version, unpack);
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      // A machine without fonts gets those of the package.
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_FILE: join(folder, 'fonts/own.conf') }),
    },
  };
}

async function unpack(folder: string): Promise<void> {
  // The package unpacks into the folder for temporary files, and its libraries only if it seems to be on AWS.
  const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const script = "await (await import('@sparticuz/chromium')).default.executablePath()";
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: root, env });
  const fonts =
    '<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>';
  writeFileSync(join(folder, 'fonts/own.conf'), fonts);
}
