import { options } from 'preact';
import { printable } from '../../core/lib/printable.ts';

/** Attributes whose text people see or hear. */
const shownAttributes = ['title', 'aria-label', 'placeholder', 'alt', 'label'] as const;

/**
 * Makes all text of the console printable, whatever part shows it: names, messages and reasons come from others, and a
 * character that changes the direction would show them as something else. Line breaks and tabs are kept.
 */
export function showOnlyPrintableText(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    if (typeof vnode.type === 'string') {
      const props = vnode.props as Record<string, unknown>;
      props['children'] = safe(props['children']);
      for (const name of shownAttributes) if (name in props) props[name] = safe(props[name]);
    }
    next?.(vnode);
  };
}

function safe(content: unknown): unknown {
  if (typeof content === 'string') return content.replace(/[^\n\t]+/g, printable);
  return Array.isArray(content) ? content.map(safe) : content;
}
