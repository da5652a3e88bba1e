import { ok, type Result } from '../../core/problem/problem.ts';
import type * as serverCommand from '../commands/server.ts';
import type { ServerFlags, WorkerFlags } from '../commands/server.ts';
import type { CliCommand, Commands } from './cli-command.ts';
import { addRemoteCommands } from './remote-commands.ts';

/** The commands that run a server, and those that ask one. */
export const serverCommands: Commands = { server: addServer };

function addServer(program: CliCommand): void {
  const server = program
    .command('server')
    .description('Run a Rampart server with its web console, or ask one: status, approvals and pauses.')
    .addHelpText(
      'after',
      `
Without a command, rampart server starts a server: it takes the flags of rampart server start.`,
    )
    .examples('rampart server --emulator', 'rampart server status');
  addStart(server);
  addWorker(server);
  addRemoteCommands(server);
}

const configFlag = [
  '--config <folder>',
  'Read rampart.config.yaml from this folder (default: the current one).',
] as const;

function addStart(server: CliCommand): void {
  server
    .command('start', { isDefault: true })
    .description(
      'Check the accounts of rampart.config.yaml continuously, and serve the API and the web console, until interrupted.',
    )
    .option(...configFlag)
    .option('--listen <address>', 'Listen on this address and port (default: 127.0.0.1:8080).')
    .option(
      '--check',
      'Check the settings, the secrets, the sources and the database, print what would run, and exit.',
    )
    .option('--no-http', 'Run without the API and the console.')
    .option('--no-scheduler', 'Do not schedule checks. Another server schedules them.')
    .option('--no-worker', 'Do not run checks and plans. Other servers and workers run them.')
    .addHelpText(
      'after',
      `
Without RAMPART_STATE_URL, the server stores its records in an embedded database, which only one process can open.
Without "login" in rampart.config.yaml, it listens only on this machine.`,
    )
    .examples(
      'rampart server start',
      'rampart server --emulator',
      'rampart server --check',
      'rampart server --no-worker --listen 127.0.0.1:9000',
    )
    .runs('none', async () => async (context, flags: ServerFlags) => {
      const parts = await loadServer();
      return parts.ok ? parts.value.server(context, flags) : context.fail(parts.problems);
    });
}

function addWorker(server: CliCommand): void {
  server
    .command('worker')
    .description('Run the checks and plans of servers that share a PostgreSQL database, until interrupted.')
    .option(...configFlag)
    .examples('rampart server worker', 'rampart server worker --config /etc/rampart')
    .runs('none', async () => async (context, flags: WorkerFlags) => {
      const parts = await loadServer();
      return parts.ok ? parts.value.worker(context, flags) : context.fail(parts.problems);
    });
}

/** Loads what only a server needs, which may not be installed. */
async function loadServer(): Promise<Result<typeof serverCommand>> {
  const { findServerPackage } = await import('../../server/database/server-package.ts');
  const { version } = await import('../shell/version.ts');
  const found = findServerPackage(version());
  return found.ok ? ok(await import('../commands/server.ts')) : found;
}
