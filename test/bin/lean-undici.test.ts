import '../tiers/uses-a-system.ts';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leanUndici, withLazyHttp2 } from '../../bin/lean-undici.ts';

async function inputsOf(source: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    outdir: 'out',
    plugins: [leanUndici],
  });
  return Object.keys(metafile.inputs);
}

describe('undici in a bundle', () => {
  it('keeps its pool and proxies when it is loaded on first use', async () => {
    const inputs = await inputsOf("export const load = () => import('undici');");
    for (const part of ['dispatcher/pool.js', 'dispatcher/env-http-proxy-agent.js', 'api/api-connect.js']) {
      expect(inputs).toContain(`node_modules/undici/lib/${part}`);
    }
    expect(inputs).not.toContain('node_modules/undici/index.js');
    expect(inputs.filter((name) => /websocket|eventsource|mock|interceptor/.test(name))).toEqual([]);
  });

  it('is complete when it is imported in any other way', async () => {
    expect(await inputsOf("export { fetch } from 'undici';")).toContain('node_modules/undici/index.js');
  });

  it('loads HTTP/2 when it is negotiated', () => {
    const path = createRequire(import.meta.url).resolve('undici/lib/dispatcher/client.js');
    const lazy = withLazyHttp2(readFileSync(path, 'utf8'));
    expect(lazy).toContain("(...args) => require('./client-h2.js')(...args)");
    expect(lazy.match(/client-h2/g)).toHaveLength(1);
  });

  it("can't be built if undici has changed", () => {
    expect(() => withLazyHttp2("const { connectH2 } = require('./h2.js')\n")).toThrow(/in another way/);
  });
});
