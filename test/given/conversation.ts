import { InMemoryTransport } from '@modelcontextprotocol/server';
import { type Context, createContext } from '../../src/cli/shell/context.ts';
import { toSettings } from '../../src/cli/shell/settings.ts';
import { createRedaction } from '../../src/core/lib/redaction.ts';
import type { Clock, Environment } from '../../src/core/lib/surroundings.ts';
import { ok } from '../../src/core/problem/problem.ts';
import { createToolServer } from '../../src/mcp/create-tool-server.ts';
import type { Tool } from '../../src/mcp/tool.ts';
import type { Emulator } from '../../src/service/emulator/emulator.ts';

interface Message {
  readonly id?: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The document of a result. */
export interface ToolDocument {
  readonly ok: boolean;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly answer?: any;
}

export interface Conversation {
  /** Any request of the protocol. */
  request(method: string, params: unknown): Promise<Message>;
  /** The document that a tool returns; undefined if the protocol refuses the call. */
  call(tool: string, input?: unknown): Promise<ToolDocument | undefined>;
}

/** A client that writes its own JSON-RPC, and has begun a conversation. */
export async function conversation(tools: readonly Tool[]): Promise<Conversation> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<number, (message: Message) => void>();
  client.onmessage = (message) => {
    const { id } = message as Message;
    if (id !== undefined) waiting.get(id)?.(message as Message);
  };
  await createToolServer(tools, { version: '1.0.0' }).connect(server);
  await client.start();
  let last = 0;
  const request = (method: string, params: unknown) =>
    new Promise<Message>((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      void client.send({ jsonrpc: '2.0', id: last, method, params } as never);
    });
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  });
  await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    request,
    async call(name, input = {}) {
      const { result } = await request('tools/call', { name, arguments: input });
      const text = result?.content?.[0]?.text as string | undefined;
      return text?.startsWith('{') === true ? (JSON.parse(text) as ToolDocument) : undefined;
    },
  };
}

/** The context of a command whose service is this emulator, without a socket. */
export function contextOn(
  emulator: Emulator,
  { folder, clock, env = {} }: { readonly folder: string; readonly clock: Clock; readonly env?: Environment },
): Context {
  const stream = { write: () => {}, isTerminal: false, columns: null };
  const { companyId, psk } = emulator.credentials;
  const io = {
    env: {
      RAMPART_BASE_URL: 'http://127.0.0.1:1',
      RAMPART_COMPANY_ID: companyId,
      RAMPART_PSK: psk,
      ...env,
    },
    cwd: folder,
    stdout: stream,
    stderr: stream,
    clock,
    prompt: async () => null,
    onInterrupt: () => () => {},
    onCrash: () => () => {},
    exitNow: () => {},
  };
  const context = createContext(io, toSettings({ format: 'text', color: false }, io), createRedaction());
  return { ...context, exchanges: { to: () => ok(emulator.exchange), close: async () => {} } };
}
