import { version } from './shell/version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') void reportLost(error);
  });
  process.stdout.write(`${version()}\n`);
} else {
  void start();
}

/**
 * Printing only the version does not load the commands. The process also exits without waiting for work that V8 has
 * postponed, such as garbage collection after a plan.
 */
async function start(): Promise<void> {
  const { run } = await import('./run.ts');
  const { lostOutput, processIo } = await import('./shell/process-io.ts');
  const exitCode = await run(argv, processIo());
  await Promise.all([process.stdout, process.stderr].map(written));
  const lost = lostOutput.get(process.stdout);
  if (lost !== undefined) await reportLost(lost);
  process.exit(exitCode === 0 ? process.exitCode : exitCode);
}

async function reportLost(lost: Error): Promise<void> {
  process.exitCode = 1;
  const { reasonOf } = await import('../core/lib/error-code.ts');
  process.stderr.write(`error[file-not-written]: the output can't be written (${reasonOf(lost)})\n`);
}

/** Resolves when all output has been written, or its reader has closed. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writable && stream.writableLength > 0) stream.write('', () => resolve());
    else resolve();
  });
}
