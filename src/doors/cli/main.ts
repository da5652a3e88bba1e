import { version } from './shell/version.ts';

const argv = process.argv.slice(2);

if (argv.length === 1 && argv[0] === '--version') {
  process.stdout.write(`${version()}\n`);
} else {
  void start();
}

/**
 * Whoever only asks for the version doesn't wait for the commands. Nor does anyone wait for what V8 has put off, which
 * a process that ends by itself does first: after a plan, to collect the garbage takes a tenth of the time.
 */
async function start(): Promise<void> {
  const { run } = await import('./run.ts');
  const { processIo } = await import('./shell/process-io.ts');
  const exitCode = await run(argv, processIo());
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(exitCode);
}

/** Until all that was written has left the process, or nobody reads it any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writable && stream.writableLength > 0) stream.write('', () => resolve());
    else resolve();
  });
}
