import { createMcpHandler } from '@modelcontextprotocol/server';
import { createToolServer, type ToolServerOptions } from './create-tool-server.ts';
import type { Tool } from './tool.ts';

/** Answers one HTTP request of a client. Each request is independent, so there is no session to steal or to lose. */
export function answerOverHttp(
  request: Request,
  tools: readonly Tool[],
  options: ToolServerOptions,
): Promise<Response> {
  return createMcpHandler(() => createToolServer(tools, options)).fetch(request);
}
