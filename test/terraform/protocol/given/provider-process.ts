import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ListenAddress } from '../../../../src/terraform/protocol/plugin/listener.ts';

export interface ProviderProcess {
  readonly process: ChildProcess;
  /** The first line of stdout. */
  readonly line: string;
  readonly address: ListenAddress;
  readonly stderr: () => string;
  /** Resolves with the exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
}

const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** Starts a provider as Terraform does, in the clear, and ends it when the test is over. */
export async function startProvider(main: string, args: readonly string[] = []): Promise<ProviderProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, main), ...args], {
    env: {
      ...process.env,
      TF_PLUGIN_MAGIC_COOKIE: cookie,
      PLUGIN_PROTOCOL_VERSIONS: '6,5',
      PLUGIN_CLIENT_CERT: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  while (!stdout.includes('\n')) await Promise.race([once(child.stdout, 'data'), ended]);
  const line = stdout.split('\n')[0] ?? '';
  const reattach = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line)?.[1];
  const [network, text] = reattach === undefined ? line.split('|').slice(2, 4) : attached(reattach);
  return {
    process: child,
    line,
    address: { network: network === 'tcp' ? 'tcp' : 'unix', text: text ?? '' },
    stderr: () => stderr,
    ended,
  };
}

function attached(json: string): readonly string[] {
  const [each] = Object.values(
    JSON.parse(json) as Record<string, { Addr: { Network: string; String: string } }>,
  );
  return each === undefined ? [] : [each.Addr.Network, each.Addr.String];
}
