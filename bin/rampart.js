#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

const source = new URL('../src/cli/main.ts', import.meta.url);

// In a checkout the TypeScript runs as it is, on the pinned Node; the published package holds no sources.
if (existsSync(source)) {
  const { runHere } = await import('./setup.mjs');
  await runHere(source, process.argv.slice(2));
} else {
  enableCompileCache?.();
  await import('../dist/cli/main.js');
}
