/**
 * Takes a module in CommonJS as esbuild writes it, and has each of its imports loaded when something of it is used
 * first, not before the module's own code runs. What is imported for its effect alone is left out: our sources have
 * no such import, and esbuild's own only tell in which order parts would have come.
 */
export function loadOnFirstUse(code: string): string {
  const imports = new Set(Array.from(code.matchAll(importLine), ([, name = '']) => name));
  return code
    .replaceAll(/^require\("\.\/[^"]+"\);$/gm, '')
    .replaceAll(/\b(import_\w+)(?=\.)/g, (use, name) => (imports.has(name) ? `(${name}())` : use))
    .replaceAll(importLine, 'var $1_loaded, $1 = () => $1_loaded ??= $2;');
}

const importLine = /^var (import_\w+) = (.*);$/gm;
