import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExchanges } from '../../../src/accounts/engine/exchanges.ts';

describe('the connections to services', () => {
  it('are shared by all accounts at one origin, whatever their paths', async () => {
    let connections = 0;
    const server = createServer((_request, response) => response.end('{}'));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const exchanges = createExchanges({});
    onTestFinished(() => exchanges.close());
    for (const address of [origin, `${origin}/berlin`, origin]) {
      const exchange = exchanges.to(address);
      if (!exchange.ok) throw new Error('no exchange');
      const answer = await exchange.value({ method: 'GET', path: '/hosts', headers: {}, body: null });
      expect(answer.status).toBe(200);
      // The connection is free again once the response was read.
      await new Promise(setImmediate);
    }
    expect(connections).toBe(1);
  });

  it('are refused for an address that would send keys unprotected', () => {
    expect(createExchanges({}).to('http://service.example.com')).toMatchObject({
      ok: false,
      problems: [{ code: 'insecure-url' }],
    });
  });
});
