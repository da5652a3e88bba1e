import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Checkout } from './checkout.ts';

const setUp = 'node bin/setup.mjs';

/** A module to preload, that makes a Node call itself another version. */
function pretendNode(checkout: Checkout, node: string): string {
  const versions = `{ ...process.versions, node: ${JSON.stringify(node)} }`;
  return checkout.write('pretend.cjs', `Object.defineProperty(process, "versions", { value: ${versions} });`);
}

describe('the set-up installs', () => {
  test('if node_modules is missing, and reports it', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.stderr).toContain('rampart set-up: node_modules is missing: running npm ci');
    expect(checkout.npmCalls).toEqual([
      'begin ci --include=dev --no-audit --no-fund --loglevel=error',
      'end',
    ]);
    expect(ended.code).toBe(0);
  });

  test('when an install was interrupted', async () => {
    using checkout = new Checkout();
    checkout.write('node_modules/left/package.json', '{}');
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.stderr).toContain('node_modules is incomplete: running npm ci');
  });

  test('if the lock file has changed since', async () => {
    using checkout = new Checkout();
    await checkout.run(`${setUp} script.mjs`);
    checkout.lock({ left: '1.0.1' });
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.stderr).toContain('node_modules is not what package-lock.json says: running npm ci');
    expect(checkout.npmCalls).toHaveLength(4);
  });

  test('nothing if everything is there, even if the lock file is newer', async () => {
    using checkout = new Checkout();
    await checkout.run(`${setUp} script.mjs`);
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(checkout.folder, 'package-lock.json'), later, later);
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.stderr).toBe('');
    expect(checkout.npmCalls).toHaveLength(2);
  });

  test('once, when two set-ups run at the same time', async () => {
    using checkout = new Checkout();
    checkout.npm({ takes: 400 });
    const both = await Promise.all([1, 2].map((each) => checkout.run(`${setUp} script.mjs ${each}`)));
    expect(both.map((each) => each.code)).toEqual([0, 0]);
    expect(checkout.npmCalls).toHaveLength(2);
    expect(both.map((each) => each.stderr).join('')).toContain('another set-up is running');
  });
});

describe('the script', () => {
  test('runs on the pinned Node, in a new process, with an old Node first on PATH', async () => {
    using checkout = new Checkout();
    const old = checkout.oldNode();
    const ended = await checkout.run(`${setUp} script.mjs`, { path: old.path });
    expect(JSON.parse(ended.stdout)).toEqual({ node: process.execPath, argv: [] });
    expect(old.calls()).toBe(1);
  });

  test('finds the pinned Node first on its own PATH', async () => {
    using checkout = new Checkout();
    const old = checkout.oldNode();
    checkout.write(
      'script.mjs',
      'import { execSync } from "node:child_process"; console.log(String(execSync("node -p process.execPath")));',
    );
    const ended = await checkout.run(`${setUp} script.mjs`, { path: old.path });
    expect(ended.stdout.trim()).toBe(process.execPath);
  });

  test('gets its arguments unchanged', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(`${setUp} script.mjs 'two words' '*' --help ''`);
    expect(JSON.parse(ended.stdout)).toMatchObject({ argv: ['two words', '*', '--help', ''] });
  });

  test('has stdout for itself: the output of npm goes to stderr', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.stderr).toContain('this is what npm prints');
    expect(ended.stdout).not.toContain('this is what npm prints');
  });

  test('passes on its exit code', async () => {
    using checkout = new Checkout();
    checkout.write('script.mjs', 'process.exit(7)');
    expect((await checkout.run(`${setUp} script.mjs`)).code).toBe(7);
  });

  test('passes on the signal that ended it', async () => {
    using checkout = new Checkout();
    checkout.write('script.mjs', 'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);');
    expect(await checkout.run(`exec ${setUp} script.mjs`)).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'gets %s and can end in its own way',
    async (signal) => {
      using checkout = new Checkout();
      checkout.write(
        'script.mjs',
        `process.on(${JSON.stringify(signal)}, () => process.exit(42)); setInterval(() => {}, 1000); console.log("up");`,
      );
      const ended = await checkout.run(`exec ${setUp} script.mjs`, {
        onOutput: (pid, stdout) => {
          if (stdout === 'up\n') process.kill(pid, signal);
        },
      });
      expect(ended.code).toBe(42);
    },
  );
});

describe('a set-up that fails', () => {
  test('reports that npm failed, without a stack trace', async () => {
    using checkout = new Checkout();
    checkout.npm({ exit: 3 });
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('rampart set-up: npm ci ended with 3');
    expect(ended.stderr).not.toContain('    at ');
    expect(ended.stdout).toBe('');
  });

  test('reports that install scripts seem to be disabled', async () => {
    using checkout = new Checkout();
    checkout.npm({ withoutNode: true });
    const ended = await checkout.run(`${setUp} script.mjs`);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('ignore-scripts');
  });

  test('reports which Node it needs, on an older one', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(
      `node --require '${pretendNode(checkout, '18.20.8')}' bin/setup.mjs script.mjs`,
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/needs Node 20 or newer .* this is Node 18\.20\.8/);
    expect(checkout.npmCalls).toEqual([]);
  });

  test('requires a script', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(setUp);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('which script?');
  });
});

describe('rampart in a checkout', () => {
  const main =
    'console.log(JSON.stringify({ node: process.execPath, argv: process.argv.slice(2) } satisfies object));';

  test('installs, and runs the TypeScript on the pinned Node, with an old one first on PATH', async () => {
    using checkout = new Checkout();
    checkout.write('src/cli/main.ts', main);
    const ended = await checkout.run('node bin/rampart.js plan --json', { path: checkout.oldNode().path });
    expect(JSON.parse(ended.stdout)).toEqual({ node: process.execPath, argv: ['plan', '--json'] });
    expect(checkout.npmCalls).toHaveLength(2);
  });

  test('runs in one process if that is the pinned Node already', async () => {
    using checkout = new Checkout();
    checkout.write('src/cli/main.ts', 'console.log(process.pid);');
    await checkout.run('node bin/rampart.js');
    const ended = await checkout.run(`echo $$; exec '${process.execPath}' bin/rampart.js`);
    const [shell, main] = ended.stdout.trim().split('\n');
    expect(main).toBe(shell);
  });

  test('published, contains no sources and runs the built program', async () => {
    using checkout = new Checkout();
    checkout.write('dist/cli/main.cjs', 'console.log("built", ...process.argv.slice(2));');
    const ended = await checkout.run(`'${process.execPath}' bin/rampart.js validate`);
    expect(ended.stdout).toBe('built validate\n');
    expect(checkout.npmCalls).toEqual([]);
  });

  test('published, reports which Node it needs on an older one', async () => {
    using checkout = new Checkout();
    const ended = await checkout.run(
      `node --require '${pretendNode(checkout, '20.20.2')}' bin/rampart.js validate`,
    );
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'rampart needs Node 24 or newer: this is Node 20.20.2\n',
    });
  });
});
