import { failed, ok, type Place, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { ScriptOutput } from './script-output.ts';
import { type SourceText, sourceText, type YamlNode } from './source-text.ts';

/** A text and its parse tree, or the tree of a part of it. */
export interface ParsedSource {
  readonly text: SourceText;
  readonly root: YamlNode;
}

/** One file: its content, and its name as messages show it. */
export interface Source {
  readonly file: string;
  readonly text: string | Uint8Array;
  /** RFC 3339: when the file was last changed, if that is known. */
  readonly changedAt?: string;
  /** The tree of the file, if it is a part of another file. */
  readonly parsed?: ParsedSource;
  /** The output of the file, if it is a script. */
  readonly script?: Result<ScriptOutput>;
}

/** Larger files are refused before they are read; a million entries take about a third of this. */
export const maxFileBytes = 256 * 1024 * 1024;

/**
 * No line that a person or a sensible generator writes is nearly this long, and the YAML parser is slow on longer ones.
 */
const maxLineLength = 1_000_000;

type Format = 'yaml' | 'csv' | 'json' | 'script' | 'module';

const wordsFor: Readonly<Record<Format, { readonly nature: string; readonly save: string }>> = {
  yaml: { nature: 'a desired state is YAML, in UTF-8', save: 'save it as UTF-8' },
  script: { nature: 'a script must be UTF-8 text', save: 'save it as UTF-8' },
  module: { nature: 'a script can import only UTF-8 text', save: 'save it as UTF-8' },
  json: { nature: 'a table of JSON must be UTF-8 text', save: 'save it as UTF-8' },
  csv: { nature: 'a table is CSV, in UTF-8', save: 'save it from the spreadsheet as "CSV UTF-8"' },
};

/** Decodes bytes as text, or reports why they can't be a desired state. */
export function decodeSource(source: Source, format: Format = 'yaml'): Result<SourceText> {
  const decoded =
    typeof source.text === 'string' ? ok(source.text) : decode(source.file, source.text, format);
  if (!decoded.ok) return decoded;
  const text = decoded.value.startsWith('\ufeff') ? decoded.value.slice(1) : decoded.value;
  // Excel reads the separator of a table in a line of its own: the blank row that is left of it decides the separator.
  const readable = sourceText(
    source.file,
    format === 'csv' ? text.replace(/^sep=(?=[,;\t]\r?\n)/i, '    ') : text,
  );
  const flaw = flawOf(readable, format);
  return flaw === undefined ? ok(readable) : failed(flaw);
}

function decode(file: string, bytes: Uint8Array, format: Format): Result<string> {
  if (bytes.length > maxFileBytes) return failed(tooLarge(file));
  if (isUtf16(bytes)) {
    return failed(
      problem('file-not-text', 'the file is UTF-16, not UTF-8', {
        place: start(file),
        hint: wordsFor[format].save,
      }),
    );
  }
  if (bytes.includes(0)) return failed(binary(file, format));
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const lossy = sourceText(file, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
    const at = Math.max(0, lossy.text.indexOf('\ufffd'));
    return failed(
      problem('file-not-text', 'the file is not UTF-8 from here on', {
        place: lossy.placeOf({ start: at, end: at + 1 }),
        hint: wordsFor[format].save,
      }),
    );
  }
}

export function tooLarge(file: string): Problem {
  return problem('file-unreadable', `${file} is larger than ${maxFileBytes / 1024 / 1024} MiB`, {
    hint: 'split it into several files, and pass their folder with -f',
  });
}

function binary(file: string, format: Format): Problem {
  return problem('file-not-text', 'the file is binary, not text', {
    place: start(file),
    hint: wordsFor[format].nature,
  });
}

function start(file: string): Place {
  return { file, line: 1, col: 1 };
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function flawOf(source: SourceText, format: Format): Problem | undefined {
  const { file, text } = source;
  if (text.includes('\0')) return binary(file, format);
  // Packages and JSON are often one line.
  const long = format === 'module' || format === 'json' ? undefined : longLine(text);
  if (long === undefined) return undefined;
  return problem(
    format === 'csv' ? 'csv-syntax' : 'yaml-syntax',
    `a line of more than ${maxLineLength} characters`,
    {
      place: source.placeOf({ start: long, end: long + 1 }),
      hint: 'write one entry per line',
    },
  );
}

/** The start of the first overlong line. */
function longLine(text: string): number | undefined {
  let start = 0;
  while (text.length - start > maxLineLength) {
    const end = text.lastIndexOf('\n', start + maxLineLength);
    if (end < start) return start;
    start = end + 1;
  }
  return undefined;
}
