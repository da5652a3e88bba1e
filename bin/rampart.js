#!/usr/bin/env node
import module from 'node:module';

// This signal opens a debugger, through which another process could read a key from the environment.
process.on('SIGUSR1', () => {});

const oldest = 24;
const source = new URL('../src/cli/main.ts', import.meta.url);

// Asked for in this way, a module of Node's own is loaded without all that its exports lead to.
const require = module.createRequire(import.meta.url);
const { existsSync } = require('node:fs');

// In a checkout the TypeScript runs as it is, on the pinned Node; the published package holds no sources.
if (existsSync(source)) {
  const { runHere } = await import('./setup.mjs');
  const argv = process.argv.slice(2);
  // A checkout holds no built console, which only a server that starts needs.
  const next = argv[argv.indexOf('server') + 1] ?? 'start';
  const isServer = argv.includes('server') && (next === 'start' || next.startsWith('-'));
  await runHere(isServer ? new URL('./server-in-checkout.ts', import.meta.url) : source, argv);
} else if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(`rampart needs Node ${oldest} or newer: this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const { ownCacheFolder } = await import('./own-cache-folder.mjs');
  const folder = ownCacheFolder();
  if (folder !== undefined) module.enableCompileCache(folder);
  require('../dist/cli/main.cjs');
}
