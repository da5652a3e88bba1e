import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../bin/console/build-console.ts';

describe('the built console', () => {
  let folder = '';
  let scriptBytes = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rampart-built-console-'));
    ({ scriptBytes } = await buildConsole(folder));
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const page = () => readFileSync(join(folder, 'index.html'), 'utf8');

  it('loads at most 45 kB of script, compressed, before the first page shows', () => {
    expect(scriptBytes).toBeGreaterThan(10_000);
    expect(scriptBytes).toBeLessThanOrEqual(45_000);
  });

  it('has no inline script and no inline style, which the policy of the server refuses', () => {
    expect(page()).not.toMatch(/<style|style=|\son\w+=/);
    expect(page().match(/<script[^>]*>[^<]/g)).toBeNull();
  });

  it('loads nothing from another origin', () => {
    expect(page().match(/(?:src|href)="(?!\/)[^"]*"/g)).toBeNull();
    const styles = files().filter((name) => name.endsWith('.css'));
    expect(styles.filter((name) => /url\(|@import/.test(readFileSync(join(folder, name), 'utf8')))).toEqual(
      [],
    );
  });

  it('gives every asset a name with a hash, so that it can be cached forever', () => {
    const assets = files().filter((name) => name.startsWith('assets/'));
    expect(
      assets.filter((name) => !/^assets\/[\w.]+(?:-\w+)*-[\w-]{8}\.(js|css|svg)(\.br|\.gz)?$/.test(name)),
    ).toEqual([]);
  });

  it('has each text compressed by brotli and by gzip, with the same content', () => {
    for (const name of files().filter((each) => /\.(js|css|html|svg)$/.test(each))) {
      const text = readFileSync(join(folder, name));
      expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).equals(text), name).toBe(true);
      expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).equals(text), name).toBe(true);
    }
  });

  it('names the licenses of the packages in it', () => {
    const licenses = readFileSync(join(folder, 'licenses.txt'), 'utf8');
    const packages = [
      'preact',
      '@preact/signals',
      '@preact/signals-core',
      'preact-iso',
      '@tanstack/virtual-core',
    ];
    expect(packages.filter((name) => !licenses.includes(`${name}\n\n`))).toEqual([]);
  });

  it('uses no way of setting markup that trusted types refuse', () => {
    const scripts = files().filter((name) => name.endsWith('.js'));
    // preact contains the word, and reaches it only for a property that no part of the console uses.
    expect(
      scripts.filter((name) =>
        /insertAdjacentHTML|document\.write|outerHTML\s*=|new Function|[^.\w]eval\(/.test(
          readFileSync(join(folder, name), 'utf8'),
        ),
      ),
    ).toEqual([]);
  });
});
