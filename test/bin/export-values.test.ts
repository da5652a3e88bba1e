import { compileFunction } from 'node:vm';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { exportValues } from '../../bin/cli/export-values.ts';
import '../tiers/uses-a-system.ts';

async function exportsOf(source: string) {
  const { code } = await transform(source, { format: 'cjs' });
  const exported: Record<string, unknown> = {};
  compileFunction(exportValues(code), ['exports', 'module'])(exported, { exports: exported });
  return exported;
}

it('exports values, and names that are assigned again as they are at the time', async () => {
  const exported = await exportsOf(`
    export const fixed = 1;
    export let [counted, taken, looped] = [0, 0, 0];
    export function change() {
      counted += 1;
      ({ taken } = { taken: 2 });
      for (looped of [3]);
    }
    export { fixed as renamed };
    export default class Part {}`);
  expect(exported).toMatchObject({ fixed: 1, renamed: 1, counted: 0, taken: 0, looped: 0 });
  (exported['change'] as () => void)();
  expect(exported).toMatchObject({ counted: 1, taken: 2, looped: 3, __esModule: true });
  expect(exported['default']).toHaveProperty('name', 'Part');
  const getters = Object.entries(Object.getOwnPropertyDescriptors(exported)).filter(([, { get }]) => get);
  expect(getters.map(([name]) => name).toSorted()).toEqual(['counted', 'looped', 'taken']);
});

it('leaves alone what exports nothing', async () => {
  const { code } = await transform('globalThis.part = 1;', { format: 'cjs' });
  expect(exportValues(code)).toBe(code);
});
