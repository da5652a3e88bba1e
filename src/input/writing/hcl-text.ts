import type { HostDraft } from './fleet-draft.ts';
import { quoteText } from './quote-text.ts';

/** A quoted template without any expression. */
export function hclText(text: string): string {
  return quoteText(text).replace(/[$%](?=\{)/g, '$&$&');
}

/** As much of the name as an identifier can contain, and the id, which makes it unique. */
export function hclLabel({ id, current }: HostDraft): string {
  const slug = (current ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, 60)
    .replace(/_+$/, '');
  const word = /^[a-z]/.test(slug) ? slug : `host${slug === '' ? '' : `_${slug}`}`;
  return `${word}_${id.replace('-', 'minus')}`;
}
