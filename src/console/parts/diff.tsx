import { printable } from '../../core/lib/printable.ts';
import './diff.css';

const kinds: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

/** A patch with its added and removed lines in color. Each line begins with its sign, so that color is not needed. */
export function DiffText({ patch, label }: { readonly patch: string; readonly label: string }) {
  const lines = patch.replace(/\n$/, '').split('\n');
  return (
    <pre class="card diff" aria-label={label} role="region" tabIndex={0}>
      {lines.map((line, index) => {
        const isFile = line.startsWith('--- ') || line.startsWith('+++ ');
        return (
          <span key={index} class={isFile ? 'file' : kinds[line[0] ?? '']}>
            {printable(line)}
            {'\n'}
          </span>
        );
      })}
    </pre>
  );
}
