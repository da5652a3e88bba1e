import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchChromium } from '../test/given/chromium.ts';
import { writeConsoleImages } from './images/console-images.ts';

/**
 * Draws the images of the documentation from a plan of examples/main-job and from the console: `npm run images`, or
 * `npm run images -- console` for the console alone. Needs Chromium.
 */
const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
const job = join(root, 'examples/main-job');

function plan(): string {
  const main = join(root, 'src/cli/main.ts');
  const argv = [main, 'plan', '-f', 'fleet.yaml', '--emulator=seed.yaml'];
  return execFileSync(process.execPath, argv, {
    cwd: job,
    env: { ...process.env, FORCE_COLOR: '1', COLUMNS: '104' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const styles: Readonly<Record<string, string>> = {
  '1': 'font-weight:600',
  '2': 'color:#8b949e',
  '31': 'color:#ff7b72',
  '32': 'color:#7ee787',
  '33': 'color:#e3b341',
  '36': 'color:#79c0ff',
};

/** A color or a weight: ESC, a bracket, its code, `m`. */
const sequence = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g');

/** The text of a terminal as a page. Each color and weight opens a span, and its end closes it. */
function terminalPage(text: string): string {
  const spans = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(sequence, (_sequence, code: string) =>
      styles[code] === undefined ? '</span>' : `<span style="${styles[code]}">`,
    );
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#0d1117">
<div id="shown" style="display:inline-block;padding:20px 24px 24px;background:#0d1117;color:#e6edf3">
<pre style="margin:0;font:15px/1.5 'DejaVu Sans Mono',monospace"><span style="color:#8b949e">$ </span>rampart plan

${spans.trimEnd()}</pre></div>`;
}

const folder = mkdtempSync(join(tmpdir(), 'rampart-images-'));
mkdirSync(images, { recursive: true });
const browser = await launchChromium();
try {
  if (process.argv[2] !== 'console') {
    const file = join(folder, 'page.html');
    writeFileSync(file, terminalPage(plan()));
    const page = await browser.newPage({ deviceScaleFactor: 1.5, viewport: { width: 1280, height: 860 } });
    await page.goto(pathToFileURL(file).href);
    await page.locator('#shown').screenshot({ path: join(images, 'plan.png') });
    console.log('wrote docs/images/plan.png');
  }
  for (const name of await writeConsoleImages(browser, images)) console.log(`wrote ${name}`);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
