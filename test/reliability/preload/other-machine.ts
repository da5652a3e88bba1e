import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/** Loaded before the program: the process believes that it runs on its own machine. */
os.hostname = () => `machine-of-${process.pid}`;
syncBuiltinESMExports();
