import { type Readable, Writable } from 'node:stream';
import { ok, type Result } from '../../core/problem/problem.ts';
import { fleetTools } from '../../mcp/fleet-tools.ts';
import { serveOverStdio } from '../../mcp/serve-stdio.ts';
import { serverTools } from '../../mcp/server-tools.ts';
import type { Tool } from '../../mcp/tool.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { createFleetAnswers } from '../asking/fleet-answers.ts';
import { openClient, type ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';
import { version } from '../shell/version.ts';

export interface McpFlags extends ServerFlag {
  readonly file?: readonly string[];
}

/** Answers a program over stdin and stdout: with the files and fleets of this machine, or with a Rampart server. */
export async function mcp(
  context: Context,
  flags: McpFlags,
  input: Readable = process.stdin,
): Promise<ExitCode> {
  const tools = toolsFor(context, flags);
  if (!tools.ok) return context.fail(tools.problems);
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      context.printExactly(text);
      done();
    },
  });
  const stop = new AbortController();
  const unhear = context.io.onInterrupt(() => stop.abort());
  const { redact } = context.redaction;
  const streams = { input, output, stop: stop.signal };
  await serveOverStdio(tools.value, { version: version(), redact }, streams).finally(unhear);
  return exitCodes.success;
}

function toolsFor(context: Context, { file = [], server }: McpFlags): Result<readonly Tool[]> {
  if (server === undefined) return ok(fleetTools(createFleetAnswers(context, file)));
  const client = openClient(context, { server });
  return client.ok ? ok(serverTools(client.value, context.io.clock)) : client;
}
