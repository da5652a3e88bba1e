import { createMarkdownRenderer } from 'vitepress';
import { viewerSections } from '../../../bin/docs/server-api-page.ts';
import { routes } from '../../../src/server/start/routes.ts';

/** The operations and shapes of the server API as HTML, for the viewer on its page. */
export default {
  async load() {
    const markdown = await createMarkdownRenderer(import.meta.dirname);
    return viewerSections(routes).map(({ title, parts }) => ({
      title,
      parts: parts.map(({ details, ...part }) => ({ ...part, html: markdown.render(details) })),
    }));
  },
};
