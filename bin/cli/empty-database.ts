import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

/**
 * Writes the files of an empty database to a path, with the same bytes each time: in a separate process, whose clock
 * stands still and whose random numbers repeat. They decide only an identifier and a number for refused passwords, and
 * each user of a release has those of its archive.
 */
const moment = Date.UTC(2025, 0, 1);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [moment] : given) as [number]));
  }

  static override now(): number {
    return moment;
  }
} as DateConstructor;
performance.now = () => 0;
Math.random = () => 0.5;

let last = 1;
function repeat<T extends NodeJS.ArrayBufferView>(view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = 0; at < bytes.length; at += 1) {
    last = (last * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = last >> 16;
  }
  return view;
}
crypto.randomFillSync = repeat;
Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: repeat });

const pglite = await PGlite.create();
writeFileSync(process.argv[2] as string, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
await pglite.close();
