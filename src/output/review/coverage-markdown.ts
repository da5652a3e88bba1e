import { markdownCode } from '../../core/lib/printable.ts';
import type { TableCoverage } from '../../core/plan/coverage.ts';
import { fileAndLine } from '../../core/problem/problem.ts';
import { gapTitle, groupColumns, summaryWords } from './coverage-text.ts';
import { sectionText } from './markdown-section.ts';
import { nameOrDash, table, unlessEmpty } from './markdown-tables.ts';

/** A comment in a pull request should stay readable; CSV has all findings. */
const mostListed = 100;

/** The report about one table as Markdown, with a section that opens for each kind of finding. */
export function coverageMarkdown(coverage: TableCoverage): string {
  const { groups, total, findings } = coverage;
  const groupTable = table(
    [...groups, total],
    groupColumns(coverage).map(({ key, heading, value }, index) => ({
      title:
        index === 0 ? nameOrDash(coverage.by ?? '') : (heading ?? key.replaceAll('-', ' ')).toLowerCase(),
      cell: (group) =>
        index === 0 && group !== total ? nameOrDash(String(value(group))) : String(value(group)),
    })),
  );
  const lists = [...Map.groupBy(findings, ({ gap }) => gap)].map(([gap, found]) =>
    sectionText(
      {
        open: `<details><summary>${gapTitle(gap, found.length)}</summary>`,
        blocks: [
          table(found, [
            { title: 'key', cell: ({ key }) => (key === undefined ? '' : markdownCode(key)) },
            ...unlessEmpty(found, {
              title: coverage.by === undefined ? 'value' : markdownCode(coverage.by),
              cell: ({ value }) => (value === undefined ? '' : markdownCode(value)),
            }),
            ...unlessEmpty(found, {
              title: 'host',
              cell: ({ host }) => (host === undefined ? '' : nameOrDash(host.name)),
            }),
            ...unlessEmpty(found, { title: 'id', cell: ({ host }) => host?.id ?? '' }),
            ...unlessEmpty(found, {
              title: 'row',
              cell: ({ place }) => (place === undefined ? '' : markdownCode(fileAndLine(place))),
            }),
          ]),
        ],
        close: '</details>',
        rest: (rows) => `and ${rows} more: \`rampart coverage --format csv\` lists all`,
      },
      Math.min(found.length, mostListed),
    ),
  );
  return [
    `### ${markdownCode(coverage.table)}: ${summaryWords(coverage)}`,
    ...(groups.length === 0
      ? []
      : [sectionText({ open: '', blocks: [groupTable], rest: () => '' }).trimStart()]),
    ...lists,
  ]
    .join('\n\n')
    .concat('\n');
}
