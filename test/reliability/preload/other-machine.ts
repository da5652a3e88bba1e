import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/** Loaded before the program: the process believes that it runs on another machine. */
os.hostname = () => 'another-machine';
syncBuiltinESMExports();
