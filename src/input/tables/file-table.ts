import { createHash } from 'node:crypto';
import { failed, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import { decodeSource } from '../sources/decode-source.ts';
import type { OpenTable } from '../sources/open-table.ts';
import { readCsvRows } from './csv-rows.ts';
import { readJsonLines, readJsonRows } from './json-rows.ts';
import type { FileOrigin, TableContent } from './table-source.ts';

/** Tables in files of the project. The ending of its name decides the format of a file. */
export function fileTables(open: OpenTable): (origin: FileOrigin, namedBy: string) => Result<TableContent> {
  return ({ path, rowsAt }, namedBy) => {
    const source = open(path, namedBy);
    if (!source.ok) return source;
    const isLines = /\.(?:ndjson|jsonl)$/i.test(path);
    const isJson = isLines || /\.json$/i.test(path);
    const text = decodeSource(source.value, isJson ? 'json' : 'csv');
    if (!text.ok) return failed(...text.problems.map(withoutLine));
    const rows = isLines
      ? readJsonLines(text.value)
      : isJson
        ? readJsonRows(text.value, rowsAt)
        : readCsvRows(text.value);
    if (!rows.ok) return failed(...rows.problems.map(withoutLine));
    const { file, text: content, changedAt } = source.value;
    return ok({
      rows: rows.value,
      origin: file,
      hash: createHash('sha256').update(content).digest('hex'),
      ...(changedAt === undefined ? {} : { changedAt }),
    });
  };
}

/** The line of a register may hold personal data, and problems are logged. */
function withoutLine(problem: Problem): Problem {
  if (problem.place === undefined) return problem;
  const { text: _, textCol: __, width: ___, ...place } = problem.place;
  return { ...problem, place };
}
