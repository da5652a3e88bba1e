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

/** The first heading of a page. */
function titleOf(page: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`docs/${page}.md has no heading of the first level`);
  return title
    .replaceAll('`', '')
    .replace(/ \((?:Resource|Data Source|Action|Function|Ephemeral Resource|List Resource)\)$/, '');
}

function pagesIn(folder: string): readonly string[] {
  return readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replace(/\.md$/, '')}`);
}

/** The id of a heading as GitHub makes it, so one link works on the site and in the repository. */
function idOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * The side bar: groups of pages in the order in which a reader needs them, each with a name that fits one line. A page
 * that no group lists stops the build.
 */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Start: {
    'start/install': 'Install',
    'start/tutorial': 'Tutorial',
    'start/pull-request': 'Plan in a pull request',
    'start/pipeline': 'Build a pipeline',
    'start/many-accounts': 'Ten accounts, one review',
    'start/server': 'A server in ten minutes',
  },
  Guides: {
    'guides/recipes': 'Recipes',
    'guides/import': 'Import a fleet',
    'guides/asset-register': 'Names from an asset register',
    'guides/drift': 'Drift',
    'guides/approve-deletions': 'Approve deletions',
    'guides/when-a-run-fails': 'A run crashed or failed',
    'guides/conflicts': 'What happens on a 409',
    'guides/runs-and-audit': 'Runs and audit',
    'guides/two-teams': 'Two teams, one account',
    'guides/many-accounts': 'Many accounts',
    'guides/shared-state': 'Shared state',
    'guides/signed-plans': 'Sign plans',
    'guides/service-commands': 'Query the service',
    'guides/inventory': 'Inventory',
    'guides/emulator': 'The emulator',
    'guides/observability': 'Observability',
    'guides/agents': 'Let a program ask',
  },
  Pipelines: {
    'guides/pipelines': 'Pipelines',
    'guides/github': 'GitHub',
    'guides/gitlab': 'GitLab',
    'guides/azure': 'Azure Pipelines',
    'guides/comment-commands': 'Commands in comments',
    'guides/html-report': 'The HTML report',
  },
  Server: {
    'guides/server': 'Run a server',
    'guides/server-in-production': 'A server in production',
    'guides/sign-in': 'Sign in',
    'guides/sources': 'Desired state from Git',
    'guides/approvals': 'Approve plans',
    'guides/notifications': 'Notifications',
    'guides/console': 'The web console',
  },
  Reference: {
    'reference/keys': 'Which keys may I write?',
    'reference/commands': 'Commands',
    'reference/desired-state': 'Desired state',
    'reference/rules': 'Rules',
    'reference/expressions': 'Expressions',
    'reference/policies': 'Policies and their tests',
    'reference/tables': 'Tables',
    'reference/configuration': 'Configuration file',
    'reference/environment': 'Environment',
    'reference/exit-codes': 'Exit codes',
    'reference/irreversible': "What can't be undone",
    'reference/api-calls': 'What it costs in API calls',
    'reference/plan-document': 'The plan document',
    'reference/server-api': 'Server API',
  },
  'How it works': {
    'explanation/planning-and-applying': 'Planning and applying',
    'explanation/reliability': 'Reliability',
    'explanation/security': 'Security',
    'explanation/performance': 'Performance',
  },
};

/** Terraform's pages are generated: their headings name them. Those about CDK are guides. */
const constructs = { 'guides/cdktf': 'Constructs', 'guides/cdktf-migration': 'From cdktf to cdktn' };

const toItems = (pages: Readonly<Record<string, string>>): Item[] =>
  Object.entries(pages).map(([page, text]) => ({ text, link: `/${page}` }));

const listed = new Set([...Object.values(groups), constructs].flatMap((pages) => Object.keys(pages)));
for (const folder of ['start', 'guides', 'reference', 'explanation']) {
  const missing = pagesIn(folder).find((page) => !listed.has(page));
  if (missing !== undefined) throw new Error(`no group of the side bar lists docs/${missing}.md`);
}

interface Item {
  readonly text: string;
  readonly link: string;
}

/** A group that opens on demand. Its heading is a link, because a button can't contain the button that opens the group. */
function folded(text: string, items: readonly Item[]) {
  return { text, link: items[0]?.link ?? '/', collapsed: true, items: [...items] };
}

/** A pattern of the addresses of the pages in these groups. */
function anyOf(...names: readonly string[]): string {
  return `^/(?:${names.flatMap((name) => Object.keys(groups[name] ?? {})).join('|')})(?:\\.html)?$`;
}

/** `data-sources` as a heading. */
function titleWords(folder: string): string {
  return folder.replace('-', ' ').replace(/^./, (first) => first.toUpperCase());
}

const terraform = folded('Terraform', [
  { text: 'Provider', link: '/terraform/' },
  ...[
    'guides',
    'resources',
    'list-resources',
    'actions',
    'data-sources',
    'ephemeral-resources',
    'functions',
  ].map((folder) =>
    folded(
      titleWords(folder),
      pagesIn(`terraform/${folder}`).map((page) => ({ text: titleOf(page), link: `/${page}` })),
    ),
  ),
  folded('CDK', toItems(constructs)),
]);

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
      { text: 'Guides', link: '/guides/recipes', activeMatch: anyOf('Guides', 'Pipelines') },
      { text: 'Server', link: '/guides/server', activeMatch: anyOf('Server') },
      { text: 'Terraform', link: '/terraform/', activeMatch: '^/(?:terraform/|guides/cdktf)' },
      { text: 'Reference', link: '/reference/keys', activeMatch: '^/reference/' },
      {
        text: `Version ${version}`,
        items: [{ text: 'Releases', link: `${source}/releases` }],
      },
    ],
    sidebar: Object.entries(groups).flatMap(([text, pages]) =>
      text === 'Start'
        ? [{ text, items: toItems(pages) }]
        : [...(text === 'Reference' ? [terraform] : []), folded(text, toItems(pages))],
    ),
    socialLinks: [{ icon: 'github', link: source }],
  },
});
