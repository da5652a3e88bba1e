/**
 * A test imports this file if the code that it tests starts a process, a thread or a database in a place that the imports
 * of the test don't show, for example because a command reads a desired state in TypeScript. See `tier-of.ts`.
 */
import 'node:child_process';
