import type { Command } from 'commander';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { commandPath } from './command-path.ts';
import type { Format } from './settings.ts';

/** Formats of commands in addition to text and JSON, which all of them print. */
const moreFormats: Readonly<Record<string, readonly Format[]>> = {
  plan: ['markdown', 'html', 'gitlab'],
  show: ['markdown', 'html', 'gitlab'],
  hosts: ['csv'],
  groups: ['csv'],
  'custom-fields': ['csv'],
  'antivirus status': ['csv'],
  import: ['yaml', 'csv', 'hcl', 'cdktf'],
  'inventory pull': ['ndjson'],
  'inventory export': ['csv', 'ndjson'],
};

const formatNames: Readonly<Record<Format, string>> = {
  text: 'text',
  json: 'JSON',
  markdown: 'Markdown',
  html: 'HTML',
  csv: 'CSV',
  ndjson: 'NDJSON',
  yaml: 'YAML',
  hcl: 'HCL',
  cdktf: 'CDKTF stack',
  gitlab: 'GitLab report',
};

/** Whether this command prints in this format. */
export function formatMisuse(command: Command, format: Format): Problem | undefined {
  const path = commandPath(command);
  const formats = formatsOf(path);
  if (formats.includes(format)) return undefined;
  const takers = Object.keys(moreFormats).filter((each) => moreFormats[each]?.includes(format));
  return problem('usage', `"rampart ${path}" does not support ${formatNames[format]} output`, {
    hint: `use ${listed(formats.map((each) => `--format ${each}`))}; --format ${format} is for ${listed(takers.map((each) => `rampart ${each}`))}`,
  });
}

function formatsOf(path: string): readonly Format[] {
  return ['text', 'json', ...(moreFormats[path] ?? [])];
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
}
