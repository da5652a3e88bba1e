import { version } from './shell/version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.write(`${version()}\n`);
} else {
  void start();
}

/** Whoever only asks for the version doesn't wait for the commands. */
async function start(): Promise<void> {
  const { run } = await import('./run.ts');
  const { processIo } = await import('./shell/process-io.ts');
  process.exitCode = await run(argv, processIo());
}
