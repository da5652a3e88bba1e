import { enableCompileCache } from 'node:module';
import { compiledFolder } from './compiled-folder.ts';

/**
 * Keeps what Node makes of the modules of tests, because the later processes of a run load mostly the same modules. A worker
 * loads this file before anything else. Vitest disables it if it measures coverage.
 */
enableCompileCache(compiledFolder);
