import { writeSync } from 'node:fs';
import { isOptimizing } from './is-optimizing.ts';

/** Prints whether V8 fully optimizes when the process that preloads this ends. A provider redirects `process.stdout`. */
process.on('exit', () => writeSync(1, JSON.stringify([isOptimizing()])));
