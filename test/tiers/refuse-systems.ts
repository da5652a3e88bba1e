import childProcess, { ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import workerThreads from 'node:worker_threads';
import pg from 'pg';

/** Fails what a unit test must not do, so that a test that starts a system can't stay in the `unit` tier unnoticed. */
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

/** This machine, or a name that is too long to exist. */
const isHarmless = /^(?:localhost|127\..*|0\.0\.0\.0|\[?::1\]?|[^.]{64,})$/;

type Connect = (this: Socket, ...parameters: readonly unknown[]) => Socket;
const marked = Socket.prototype as unknown as { connect: Connect; connectAnywhere?: Connect };
const connectAnywhere = marked.connectAnywhere ?? marked.connect;
marked.connectAnywhere = connectAnywhere;
marked.connect = function connect(...parameters) {
  const host = hostOf(parameters);
  if (host !== undefined && !isHarmless.test(host)) refuse(`connects to ${host}`);
  return connectAnywhere.apply(this, [...parameters]);
};

/** Node passes its own calls on as one list. A socket without a host connects to this machine. */
function hostOf([first, second]: readonly unknown[]): string | undefined {
  if (Array.isArray(first)) return hostOf(first as readonly unknown[]);
  const host =
    typeof first === 'object' && first !== null ? (first as { readonly host?: unknown }).host : second;
  return typeof host === 'string' ? host : undefined;
}
