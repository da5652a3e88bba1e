import type { Entry } from './report.ts';

export interface BenchResult {
  /** Its file without the ending. */
  readonly name: string;
  readonly seconds: number;
  readonly failed: boolean;
  /** Empty if a benchmark only prints. */
  readonly entries: readonly Entry[];
  readonly printed: string;
}

export interface ResultsPage {
  readonly machine: readonly string[];
  /** As typed. */
  readonly command: string;
  readonly results: readonly BenchResult[];
}

/** The page of results, in Markdown: the entries of the benchmarks, or their output. */
export function resultsPage({ machine, command, results }: ResultsPage): string {
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const head = [
    '# Results',
    '',
    `Written by \`${command}\` in ${seconds.toFixed(0)} s. Compare only ratios. All values of one row or table were`,
    'measured in turns, as medians, in one run on one machine.',
    '',
    ...machine.map((line) => `- ${line}`),
  ];
  return `${[head.join('\n'), ...results.map(section)].join('\n\n')}\n`;
}

function section({ name, seconds, failed, entries, printed }: BenchResult): string {
  const [first] = entries;
  const title = first?.kind === 'title' ? first.title : name;
  const parts = [
    `## ${title}`,
    `\`node bench/${name}.ts\`, ${seconds.toFixed(0)} s${failed ? ': **it failed**' : ''}`,
    ...(entries.length === 0 ? [`\`\`\`text\n${printed.trim()}\n\`\`\``] : blocksOf(entries)),
  ];
  return parts.join('\n\n');
}

/** Rows belong to the table before them. */
function blocksOf(entries: readonly Entry[]): readonly string[] {
  const blocks: string[] = [];
  for (const each of entries) {
    switch (each.kind) {
      case 'title':
        blocks.push(sentence(each.compared));
        break;
      case 'table':
        blocks.push(
          `${line(each.columns)}\n${line(each.columns.map((_, index) => (index === 0 ? '---' : '--:')))}`,
        );
        break;
      case 'row':
        blocks.push(`${blocks.pop() ?? ''}\n${line(each.cells)}`);
        break;
      case 'note':
        blocks.push(each.text);
        break;
    }
  }
  return blocks;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
