import { compileFunction } from 'node:vm';
import { expect, it } from 'vitest';
import { loadOnFirstUse } from '../../bin/cli/load-on-first-use.ts';

it('loads an import on first use', () => {
  const code =
    'var import_a = require("./a.cjs");\nrequire("./b.cjs");\nconst f = () => import_a.x + import_a.y;\n';
  const loaded: string[] = [];
  const f = compileFunction(`${loadOnFirstUse(code)} return f;`, ['require'])((name: string) => {
    loaded.push(name);
    return { x: 1, y: 2 };
  }) as () => number;
  expect(loaded).toEqual([]);
  expect(f()).toBe(3);
  expect(f()).toBe(3);
  expect(loaded).toEqual(['./a.cjs']);
});

it('leaves alone text that only looks like an import', () => {
  const code = 'var parts = {}, import_b = { x: 1 };\nconst g = () => import_b.x;\n';
  expect(loadOnFirstUse(code)).toBe(code);
});
