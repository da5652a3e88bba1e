import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/service/contract/message.ts';
import { type Served, type ServeOptions, serve } from '../../../src/service/emulator/serve.ts';
import { nodeExchange } from '../../conformance/node-exchange.ts';
import { basic, type Given, givenEmulator, hostIds, newDescription, paths, sender } from './calls.ts';

const open: Served[] = [];
afterEach(async () => {
  for (const served of open.splice(0)) await served.close();
});

async function served(given: Given, options: ServeOptions = {}) {
  const server = await serve(given, options);
  open.push(server);
  const { companyId, psk } = given.credentials;
  return { ...server, send: sender(nodeExchange(server.url), basic(companyId, psk)) };
}

const fleet = { hosts: [{ id: '9223372036854775807', name: 'Zürich 東京' }] };

describe('the served emulator', () => {
  it('listens on loopback only, on a free port', async () => {
    const one = await served(givenEmulator(fleet));
    const two = await served(givenEmulator(fleet));
    expect(one.url).toBe(`http://127.0.0.1:${one.port}`);
    expect(one.port).not.toBe(two.port);
  });

  it('rejects when its port is taken', async () => {
    const { port } = await served(givenEmulator(fleet));
    await expect(serve(givenEmulator(fleet), { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('responds to any text and the longest ids unharmed', async () => {
    const { send } = await served(givenEmulator(fleet));
    const { json } = await send('GET', paths.hosts);
    expect(json.hosts[0]).toMatchObject({ id: '9223372036854775807', description: 'Zürich 東京' });
  });

  it.each(['before', 'after'] as const)('breaks the connection for a drop %s the change', async (when) => {
    const given = givenEmulator(fleet, { faults: [{ nth: 1, effect: { kind: 'drop', when } }] });
    const { send } = await served(given);
    const rename = () => send('PUT', paths.description('9223372036854775807'), newDescription('NEW'));
    await expect(rename()).rejects.toThrow(TransportError);
    expect(given.state().hosts[0]?.name).toBe(when === 'before' ? 'Zürich 東京' : 'NEW');
    expect((await rename()).status).toBe(204);
  });

  it('breaks the connection if a hook throws, and keeps running', async () => {
    const given = givenEmulator(fleet, {
      hooks: {
        beforeEach: ({ index }) => {
          if (index === 0) throw new Error('crash');
        },
      },
    });
    const { send } = await served(given);
    await expect(send('GET', paths.hosts)).rejects.toThrow(TransportError);
    expect((await send('GET', paths.hosts)).status).toBe(200);
  });

  it('refuses a body that is too large without reading it to its end', async () => {
    const given = givenEmulator(fleet);
    const { send } = await served(given, { maxBodyBytes: 1_000 });
    const large = hostIds(...Array.from({ length: 300 }, (_, id) => String(1_000 + id)));
    expect((await send('DELETE', paths.hostsV1, large)).status).toBe(413);
    expect((await send('POST', paths.connection('9007199254740993'), large)).json).toMatchObject({
      hostId: '9007199254740993',
    });
    expect(given.requests).toEqual([]);
  });

  it.each(['PATCH', 'OPTIONS', 'TRACE'])('has no action with the method %s', async (method) => {
    const { url } = await served(givenEmulator(fleet));
    const { status } = await nodeExchange(url)({
      method: method as 'GET',
      path: paths.hosts,
      headers: {},
      body: null,
    });
    expect(status).toBe(404);
  });

  it('survives a caller who hangs up in the middle of a request', async () => {
    const { port, send } = await served(givenEmulator(fleet));
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'DELETE /public-api/v1/hosts HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"hostIds":[',
        );
        socket.destroy();
      });
      socket.on('close', () => resolve());
    });
    expect((await send('GET', paths.hosts)).status).toBe(200);
  });
});
