import childProcess, { ChildProcess } from 'node:child_process';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import workerThreads from 'node:worker_threads';
import pg from 'pg';

/**
 * Fails what a unit test must not do, so that a test that starts a system can't stay in the `unit` tier unnoticed. A worker
 * loads this file before anything else.
 */
export function refuse(what: string): never {
  throw new Error(
    `A unit test ${what}. Import test/tiers/uses-a-system.ts to move the test to the system tier.`,
  );
}

const refuseProcess = () => refuse('starts a process');
Object.assign(ChildProcess.prototype, { spawn: refuseProcess });
Object.assign(childProcess, {
  execFileSync: refuseProcess,
  execSync: refuseProcess,
  spawnSync: refuseProcess,
});
workerThreads.Worker = class {
  constructor() {
    refuse('starts a thread');
  }
} as unknown as typeof workerThreads.Worker;
syncBuiltinESMExports();
pg.Client.prototype.connect = () => refuse('opens a database');
registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === '@electric-sql/pglite' ? new URL('./refuse-pglite.ts', import.meta.url).href : specifier,
      context,
    ),
});

/** This machine, or a name that is too long to exist. */
const isHarmless = /^(?:localhost|127\..*|0\.0\.0\.0|\[?::1\]?|[^.]{64,})$/;

const { connect } = Socket.prototype as unknown as {
  connect: (this: Socket, ...parameters: readonly unknown[]) => Socket;
};
Object.assign(Socket.prototype, {
  connect(this: Socket, ...parameters: readonly unknown[]) {
    const host = hostOf(parameters);
    if (host !== undefined && !isHarmless.test(host)) refuse(`connects to ${host}`);
    return connect.apply(this, [...parameters]);
  },
});

/** Node passes its own calls on as one list. A socket without a host connects to this machine. */
function hostOf([first, second]: readonly unknown[]): string | undefined {
  if (Array.isArray(first)) return hostOf(first as readonly unknown[]);
  const host =
    typeof first === 'object' && first !== null ? (first as { readonly host?: unknown }).host : second;
  return typeof host === 'string' ? host : undefined;
}
