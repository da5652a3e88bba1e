import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createToolServer, type ToolServerOptions } from './create-tool-server.ts';
import type { Tool } from './tool.ts';

interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the conversation. */
  readonly stop: AbortSignal;
}

/** Answers one client until it closes the input. */
export async function serveOverStdio(
  tools: readonly Tool[],
  options: ToolServerOptions,
  { input, output, stop }: StdioStreams,
): Promise<void> {
  const ended = finished(input, { writable: false, signal: stop }).catch(() => {});
  const transport = new StdioServerTransport(input, output);
  const serving = serveStdio(() => createToolServer(tools, options), { transport });
  await ended;
  await serving.close();
}
