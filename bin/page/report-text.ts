import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
} as const satisfies BuildOptions;

const styles = ['tokens', 'base', 'parts', 'tables', 'review'].map(
  (name) => `src/output/components/style/${name}.css`,
);

/**
 * The HTML report as one module of the program: its components, which render a page to a string, with the style sheet
 * and the script of the page as texts. Node runs TypeScript, but neither JSX nor CSS.
 */
export function reportText(): string {
  const script = bundled({ entryPoints: ['src/output/page/browser/main.tsx'] });
  const style = bundled({
    stdin: {
      contents: [...styles, 'src/output/page/report/report.css']
        .map((path) => readFileSync(join(root, path), 'utf8'))
        .join('\n'),
      loader: 'css',
    },
  });
  const components = bundled({ entryPoints: ['src/output/page/report/render.tsx'], minify: false });
  return `// Written by \`npm run generate\` from the components of the report: change src/output, not this file.
// @ts-nocheck
export const pageStyle = ${JSON.stringify(style)};
export const pageScript = ${JSON.stringify(script)};
${components}`;
}

function bundled(options: BuildOptions): string {
  const { outputFiles } = buildSync({ ...common, ...options, write: false });
  return outputFiles?.[0]?.text.trim() ?? '';
}
