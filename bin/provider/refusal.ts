/** A request that these programs can't carry out. The message says why, and what to do. */
export class Refusal extends Error {}

/** Runs a program; a refusal is one line on stderr and exit code 1. */
export async function runProgram(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
