import '../../tiers/uses-a-system.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { familyOf } from '../../../src/core/problem/problem-code.ts';
import { loadDesired } from '../../../src/input/load-desired.ts';
import { plainStyle } from '../../../src/output/review/color.ts';
import { renderProblems } from '../../../src/output/review/problem-text.ts';
import { newFolder, putFiles } from '../../given/folder.ts';

const goldens = new URL('bad/', import.meta.url);

/** Modules that the scripts may import. */
const modules: Readonly<Record<string, string>> = {
  'sites.ts': `export const sites = ['BER'];
export function codeOf(site: string): string {
  if (site === 'LIS') throw new RangeError(\`no code for \${site}\`);
  return site;
}
`,
  'broken.mjs': 'export const a = 1;\nlet x y;\n',
};

/** The output for each is `bad/<name>.txt`. */
const scripts: Readonly<Record<string, string>> = {
  'calls-what-is-missing': 'const sites: any = null;\n\nexport default { hosts: sites.map((s) => s) };\n',
  'class-instance':
    'class Host { name = "A" }\nexport default { hosts: [new Host(), new Set(), new Map()] };\n',
  'date-that-is-none':
    'export default { hosts: [{ id: 1, ensure: "absent", deleteAfter: new Date("soon") }] };\n',
  empty: '',
  'ends-the-process': 'const sites = [];\nif (sites.length === 0) process.exit(0);\nexport default {};\n',
  enum: 'enum Site { Berlin }\nexport default {};\n',
  'exports-a-list': 'export default [{ name: "A" }];\n',
  'exports-a-number': 'export default 5;\n',
  'exports-by-another-name': 'export const fleet = { hosts: [] };\n',
  'function-inside': 'export default { hosts: [{ id: 1, name: () => "A" }] };\n',
  'getter-that-throws': 'export default { hosts: [{ get name() { throw new Error("no name yet"); } }] };\n',
  'holds-itself': 'const hosts: unknown[] = [];\nhosts.push(hosts);\nexport default { hosts };\n',
  'hosts-claimed-twice':
    "import { host } from 'rampart';\n\nconst web = (id: number) =>\n  host({ id, name: 'BER-WEB' });\n\nexport default { hosts: [host({ id: 1 }), web(1), web(2)] };\n",
  'hosts-of-another-shape': 'export default { hosts: { a: { id: 1 } } };\n',
  'imports-a-missing-file': "import { sites } from './site.ts';\nexport default { hosts: sites };\n",
  'imports-a-missing-name': "import { towns } from './sites.ts';\nexport default { hosts: towns };\n",
  'imports-a-missing-package': "import { z } from 'not-installed-here';\nexport default {};\n",
  'imports-what-does-not-parse': "import { a } from './broken.mjs';\nexport default { hosts: a };\n",
  'later-error':
    'setTimeout(() => { throw new Error("too late"); }, 1);\nawait new Promise(() => setInterval(() => {}, 1000));\nexport default {};\n',
  'markup-in-error': 'throw new Error("\\u001b[31m<b>@all\\u202e\\n  at home");\n',
  'name-of-10-kB':
    'export default { hosts: [{ id: 1, nmae: "n".repeat(10_000), ["k".repeat(10_000)]: 1 }] };\n',
  'no-hosts': 'export default { account: { companyId: 5 } };\n',
  'not-a-number': 'export default { hosts: [{ id: 0 / 0 }, { id: 1.5 }] };\n',
  'promise-inside': 'export default { hosts: Promise.resolve([]) };\n',
  'rejected-promise': "export default async () => {\n  throw new Error('the list is not there');\n};\n",
  'rounded-id': 'export default { hosts: [{ id: 9007199254740993 }, { id: 1 }] };\n',
  'source-that-is-none': 'export default { hosts: [{ id: 1, source: { file: "sheet.csv", line: 0 } }] };\n',
  'starts-a-process':
    "import { execFileSync } from 'node:child_process';\nexecFileSync('ls');\nexport default {};\n",
  'syntax-error': "const hosts = [\n  { id: 1 name: 'A' },\n];\nexport default { hosts };\n",
  'throws-in-a-module':
    "import { codeOf, sites } from './sites.ts';\n\nconst codes = [...sites, 'LIS'].map(codeOf);\nexport default { hosts: codes };\n",
  'throws-text': "throw 'no sites';\n",
  'unknown-keys':
    "import { defineFleet, host } from 'rampart';\n\nexport default defineFleet({\n  hosts: [host({ id: 1, gruop: 'Berlin' } as never)],\n  polices: {},\n} as never);\n",
  'version-of-tomorrow': 'export default { version: 2, hosts: [] };\n',
  'waits-for-ever': 'export default new Promise(() => {});\n',
  'wrong-values':
    'export default { hosts: [{ id: "x" }, { id: 1, group: 17 }, { id: 2, group: true }, { id: 3, ensure: "gone" }, null] };\n',
  'writes-where-we-listen':
    "import { writeSync } from 'node:fs';\nwriteSync(3, '{}');\nexport default { hosts: [] };\n",
};

/** Stopped after a while, which is short here. */
const endless: Readonly<Record<string, string>> = {
  'never-ends': 'for (;;);\nexport default {};\n',
  'never-ends-though-it-waits':
    'await new Promise((done) => setInterval(done.bind, 1000));\nexport default {};\n',
};

let folder: string;

beforeAll(async () => {
  folder = newFolder();
  await putFiles(folder, modules);
});

async function told(name: string, text: string, timeLimitMs?: number): Promise<string> {
  const file = `${name}.ts`;
  await writeFile(join(folder, file), text);
  const limit = timeLimitMs === undefined ? {} : { timeLimitMs };
  const result = await loadDesired([file], { cwd: folder, ...limit });

  expect(result.ok).toBe(false);
  expect(result.problems.length).toBeGreaterThan(0);
  for (const each of result.problems) {
    expect(each.place).toBeDefined();
    expect(familyOf(each.code)).toBe('input');
  }
  const shown = renderProblems(result.problems, plainStyle);
  expect(shown).not.toMatch(/\n\s+at |[^\P{Cc}\n]|[\u202a-\u202e]/u);
  expect(shown).not.toContain(folder);
  expect(shown.length).toBeLessThan(5_000);
  return shown;
}

describe('a failing script is reported with a place', () => {
  test.each(Object.entries({ ...scripts, ...endless }))('%s', async (name, text) => {
    const shown = await told(name, text, name in endless ? 1_000 : undefined);
    await expect(shown).toMatchFileSnapshot(new URL(`${name}.txt`, goldens).pathname);
  });

  test('and there are at least thirty of them', () => {
    expect(Object.keys(scripts).length + Object.keys(endless).length).toBeGreaterThanOrEqual(30);
  });
});
