import { writeSync } from 'node:fs';

/** Stdout carries one line for Terraform, and any other before it breaks the start: the rest goes to stderr. */
export function claimStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

export function writeStdout(text: string): void {
  writeSync(1, text);
}
