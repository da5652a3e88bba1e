/**
 * Takes a CommonJS module as esbuild writes it, and makes it load each of its imports on first use, not before the
 * module's own code runs. Imports for side effects are left out: our sources have none, and esbuild's own only record
 * the order of parts.
 */
export function loadOnFirstUse(code: string): string {
  const imports = new Set(Array.from(code.matchAll(importLine), ([, name = '']) => name));
  return code
    .replaceAll(/^require\("\.\/[^"]+"\);$/gm, '')
    .replaceAll(/\b(import_\w+)(?=\.)/g, (use, name) => (imports.has(name) ? `(${name}())` : use))
    .replaceAll(importLine, 'var $1_loaded, $1 = () => $1_loaded ??= $2;');
}

const importLine = /^var (import_\w+) = (.*);$/gm;
