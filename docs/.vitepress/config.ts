import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { searchOptions } from './search.ts';

const docs = join(import.meta.dirname, '..');
const { version, repository } = JSON.parse(readFileSync(join(docs, '..', 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly repository: { readonly url: string };
};
const source = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** The first heading of a page, which is its name in the side bar. */
function titleOf(page: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`docs/${page} has no heading of the first level`);
  return title
    .replaceAll('`', '')
    .replace(/ \((?:Resource|Data Source|Action|Function|Ephemeral Resource|List Resource)\)$/, '');
}

function item(page: string): Item {
  return { text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` };
}

function pagesIn(folder: string, first: readonly string[] = []) {
  const names = readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md'));
  const rest = names.filter((name) => !first.includes(name)).sort();
  return [...first, ...rest].map((name) => item(`${folder}/${name}`));
}

/** The id of a heading as GitHub makes it, so one link works on the site and in the repository. */
function idOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The pages about the server; all other guides are about the command line and pipelines. */
const server = [
  'server.md',
  'server-in-production.md',
  'sign-in.md',
  'sources.md',
  'approvals.md',
  'notifications.md',
  'console.md',
];
const pipelines = [
  'pipelines.md',
  'github.md',
  'comment-commands.md',
  'gitlab.md',
  'azure.md',
  'html-report.md',
];

/** The groups of guides in the side bar, each with its pages. */
const guides: readonly (readonly [string, readonly string[]])[] = [
  ['Guides', guidesExcept([...server, ...pipelines])],
  ['Pipelines', pipelines.map((name) => `guides/${name}`)],
  ['Server', server.map((name) => `guides/${name}`)],
];

function guidesExcept(others: readonly string[]): readonly string[] {
  const names = readdirSync(join(docs, 'guides')).filter(
    (name) => name.endsWith('.md') && !others.includes(name),
  );
  return names.map((name) => `guides/${name}`);
}

interface Item {
  readonly text: string;
  readonly link: string;
}

/** A group that opens on demand. Its heading is a link, because a button can't contain the button that opens the group. */
function folded(text: string, items: readonly Item[]) {
  return { text, link: items[0]?.link ?? '/', collapsed: true, items: [...items] };
}

/** `data-sources` as a heading. */
function titleWords(folder: string): string {
  return folder.replace('-', ' ').replace(/^./, (first) => first.toUpperCase());
}

export default defineConfig({
  title: 'Rampart',
  description: 'Manage a fleet of remotely accessed computers as code: plan, review, apply.',
  lang: 'en',
  outDir: '../dist/site',
  cacheDir: '../.cache/site',
  srcExclude: ['contributing/**'],
  cleanUrls: true,
  lastUpdated: false,
  metaChunk: true,
  // The target of the repository is newer than what this version of the builder knows.
  vite: { esbuild: { tsconfigRaw: '{}' } },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: idOf },
    // Pages link to files of the repository, such as examples: the site sends readers to the repository.
    config: (markdown) => {
      markdown.core.ruler.push('links-to-the-repository', (state) => {
        const page = (state.env as { readonly relativePath: string }).relativePath;
        for (const token of state.tokens.flatMap((each) => each.children ?? [])) {
          const target = token.type === 'link_open' ? token.attrGet('href') : null;
          if (target === null || /^([a-z]+:|#)/.test(target)) continue;
          const path = join('docs', page, '..', target);
          if (path.startsWith('docs/') && !path.startsWith('docs/contributing/')) continue;
          token.attrSet('href', `${source}/blob/main/${path}`);
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true, miniSearch: { searchOptions } } },
    editLink: { pattern: `${source}/edit/main/docs/:path`, text: 'Edit this page' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/start/tutorial', activeMatch: '^/start/' },
      { text: 'Guides', link: '/guides/recipes', activeMatch: '^/guides/' },
      { text: 'Server', link: '/guides/server' },
      { text: 'Terraform', link: '/terraform/', activeMatch: '^/terraform/' },
      { text: 'Reference', link: '/reference/keys', activeMatch: '^/reference/' },
      {
        text: `Version ${version}`,
        items: [{ text: 'Releases', link: `${source}/releases` }],
      },
    ],
    sidebar: [
      {
        text: 'Start',
        items: pagesIn('start', [
          'install.md',
          'tutorial.md',
          'pull-request.md',
          'pipeline.md',
          'many-accounts.md',
          'server.md',
        ]),
      },
      ...guides.map(([text, pages]) => folded(text, pages.map(item))),
      folded('Terraform', [
        { text: 'Provider', link: '/terraform/' },
        ...[
          'guides',
          'resources',
          'list-resources',
          'actions',
          'data-sources',
          'ephemeral-resources',
          'functions',
        ].map((folder) => folded(titleWords(folder), pagesIn(`terraform/${folder}`))),
      ]),
      folded('Reference', pagesIn('reference', ['keys.md', 'commands.md', 'desired-state.md', 'rules.md'])),
      folded('How it works', pagesIn('explanation', ['planning-and-applying.md'])),
    ],
    socialLinks: [{ icon: 'github', link: source }],
  },
});
