#!/usr/bin/env node
/**
 * Runs a script of this checkout on the pinned Node, installing first where that is needed:
 *
 *     node bin/setup.mjs <script> [arguments]
 *
 * Uses only Node's built-ins, and only what Node 20 has. The pinned Node is always a new process: whoever
 * started this one may have resolved `node` to another version before the install.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withInstallLock } from './install-lock.mjs';
import { reasonToInstall } from './reason-to-install.mjs';

const oldest = 20;

// This signal opens a debugger, through which another process could read a key from the environment of this one.
process.on('SIGUSR1', () => {});

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const pinnedNode = join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** Sets up, then runs a script: in this process if it already is the pinned Node. */
export async function runHere(script, argv) {
  await ready();
  if (sameFile(process.execPath, pinnedNode)) await import(script.href);
  else handOver([fileURLToPath(script), ...argv]);
}

async function ready() {
  if (Number.parseInt(process.versions.node, 10) < oldest) {
    fail(
      `needs Node ${oldest} or newer to start (it then installs the Node that this project is pinned to); ` +
        `this is Node ${process.versions.node}`,
    );
  }
  try {
    await install();
  } catch (error) {
    fail(error.message);
  }
}

/** Throws an Error with a message for users. */
async function install() {
  if (reasonToInstall(root, pinnedNode) === null) return;
  await withInstallLock(join(root, '.cache', 'setup.lock'), say, async () => {
    const reason = reasonToInstall(root, pinnedNode);
    if (reason === null) return;
    say(`${reason}: running npm ci`);
    const end = await npmCi();
    if (end !== 0) throw new Error(`npm ci ended with ${end}: see its message above`);
    if (!existsSync(pinnedNode)) {
      throw new Error(
        'npm ci did not bring the pinned Node, which the install script of the package "node" fetches: ' +
          'is ignore-scripts set in your npm configuration?',
      );
    }
    say('set up');
  });
}

/** Runs a script on the pinned Node and ends as it ends: with its exit code, or by its signal. */
function handOver(argv) {
  const path = [bin, process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn(pinnedNode, argv, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  const stopPassing = passSignals(child);
  child.on('error', (error) => fail(`the pinned Node does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    stopPassing();
    if (signal === null) process.exit(code);
    process.kill(process.pid, signal);
  });
}

function passSignals(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      // A terminal sends Ctrl-C to both processes itself; a second one would mean "stop at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, handler);
    return [signal, handler];
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

function npmCi() {
  const arguments_ = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath ?? '';
  const [command, argv, shell] = /npm-cli\.c?js$/.test(cli)
    ? [process.execPath, [cli, ...arguments_], false]
    : ['npm', arguments_, process.platform === 'win32'];
  // What npm prints is no output of the script that runs afterwards.
  const child = spawn(command, argv, { cwd: root, stdio: ['ignore', 2, 2], shell });
  const stopPassing = passSignals(child);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`npm does not start: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(signal ?? code));
  }).finally(stopPassing);
}

function sameFile(a, b) {
  return realpathSync(a) === realpathSync(b);
}

function say(text) {
  process.stderr.write(`rampart set-up: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

if (process.argv[1] !== undefined && sameFile(process.argv[1], fileURLToPath(import.meta.url))) {
  if (process.argv.length < 3) fail('which script? node bin/setup.mjs <script> [arguments]');
  await ready();
  handOver(process.argv.slice(2));
}
