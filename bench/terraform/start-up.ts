import { spawn } from 'node:child_process';
import { selfSigned } from '../../src/terraform/protocol/plugin/certificate.ts';

/** Milliseconds from the start of a program to the line with the address for Terraform. */
export async function timeToHandshake(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const start = performance.now();
  const child = spawn(program, [], {
    env: { ...process.env, ...env, ...invitation },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const shaken = Promise.withResolvers<number>();
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.startsWith('1|6|') && stdout.includes('\n')) shaken.resolve(performance.now() - start);
  });
  const ms = await Promise.race([shaken.promise, ended]);
  child.kill('SIGTERM');
  await ended;
  if (typeof ms !== 'number') throw new Error(`${program} ended without a handshake`);
  return ms;
}

/** As Terraform starts its providers, mutual TLS included. */
const invitation = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '5,6',
  PLUGIN_CLIENT_CERT: selfSigned({ hosts: ['localhost'] }).certificate,
};
