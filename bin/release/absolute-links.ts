/**
 * The Markdown of a file of the repository with absolute links, for places that show it without the repository around
 * it. Links to headings, addresses and code are unchanged.
 */
export function absoluteLinks(markdown: string, files: string): string {
  return markdown
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(link, (_all, open: string, to: string) => `${open}${new URL(to, files).href})`),
    )
    .join('');
}

const link = /(\]\()(?!#|[a-z]+:|\/\/)([^)\s]+)\)/g;
