import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** The page that a forge makes of Markdown, before it cleans the HTML: injected parts are still there. */
export function renderMarkdown(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** Names of all elements, without attributes, each once. */
export function elementsOf(html: string): readonly string[] {
  return [...new Set(Array.from(html.matchAll(/<([a-z][a-z0-9]*)[\s>/]/gi), (each) => each[1] as string))];
}

/** The content of code elements, as text; adjacent ones are joined. */
export function codeTextsOf(html: string): readonly string[] {
  const joined = html.replaceAll('</code><code>', '');
  return Array.from(joined.matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g), (each) => textOf(each[1] as string));
}

/** Where a forge looks for mentions, issues and emoji: all text but code. */
export function proseOf(html: string): string {
  return textOf(html.replace(/<code[^>]*>[\s\S]*?<\/code>/g, '').replace(/<[^>]*>/g, ''));
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };

function textOf(html: string): string {
  return html.replace(/&(?:#(\d+)|(lt|gt|quot|amp));/g, (_, code?: string, name?: string) =>
    code === undefined ? (named[name as string] as string) : String.fromCodePoint(Number(code)),
  );
}
