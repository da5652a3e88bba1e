import { type Document, visit, type YAMLError } from 'yaml';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { SourceText, Span } from '../sources/source-text.ts';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
  /** Which position to show, if not the error's own. */
  readonly at?: 'opening' | 'rest-of-line';
}

/** One mistake makes the parser report several errors; later ones are rarely useful. */
const mostShown = 5;

/** The parser's errors, reworded for the author of a fleet file, at most one per line. */
export function explainYamlErrors(
  source: SourceText,
  document: Document.Parsed,
  errors: readonly YAMLError[],
): readonly Problem[] {
  const problems = new Map<number, Problem>();
  for (const error of errors.toSorted(byUse)) {
    const { message, hint, at } = explain(error);
    const [start, end] = error.pos;
    const span =
      at === 'opening'
        ? openingOf(document, source.text, { start, end })
        : at === 'rest-of-line'
          ? restOfLine(source.text, start)
          : skipBlanks(source.text, { start, end });
    const place = source.placeOf(span);
    if (problems.has(place.line)) continue;
    problems.set(
      place.line,
      problem('yaml-syntax', message, hint === undefined ? { place } : { place, hint }),
    );
    if (problems.size === mostShown) break;
  }
  return [...problems.values()];
}

/** At the same position, a key over two lines explains more than the errors that follow from it. */
function byUse(a: YAMLError, b: YAMLError): number {
  const rank = (error: YAMLError) => (error.code === 'MULTILINE_IMPLICIT_KEY' ? 0 : 1);
  return a.pos[0] - b.pos[0] || rank(a) - rank(b);
}

function explain(error: YAMLError): Explanation {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { message: "tabs can't be used for indentation", hint: 'indent with spaces' };
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        message: 'this line and the next are read as one text',
        hint: 'align the keys of one entry, and write each as "key: value" with a space after the colon',
        at: 'rest-of-line',
      };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return error.message.includes('sequence')
        ? {
            message: 'this item is indented differently from the others',
            hint: 'align the "-" of one list',
          }
        : {
            message: 'this text contains ": ", which makes it a key',
            hint: 'put the text in quotation marks, and each key on a separate line',
            at: 'rest-of-line',
          };
    case 'BAD_SCALAR_START':
      return {
        message: "text can't start with this character",
        hint: 'put the text in quotation marks',
        at: 'rest-of-line',
      };
    case 'BAD_DQ_ESCAPE':
      return {
        message: 'an unknown escape in double quotation marks',
        hint: `write \\\\ for a backslash, or use single quotation marks: 'a\\b'`,
      };
    case 'BAD_ALIAS':
      return {
        message: 'an anchor or alias without a name',
        hint: 'put text that starts with "&" or "*" in quotation marks',
      };
    case 'MULTIPLE_ANCHORS':
      return {
        message: 'two anchors on one value',
        hint: 'put text that starts with "&" in quotation marks',
      };
    default:
      return explainByMessage(error.message);
  }
}

/** Error codes that several mistakes share. */
const byMessage: readonly (readonly [part: string, explanation: Explanation])[] = [
  [
    'Missing closing',
    {
      message: 'a quotation mark is never closed',
      hint: 'close it on the same line',
      at: 'opening',
    },
  ],
  [
    'Implicit map keys need to be followed by map values',
    { message: 'a key without a ":"', hint: 'write "key: value", with a space after the colon' },
  ],
  [
    'All mapping items must start at the same column',
    {
      message: 'this key is indented differently from the others',
      hint: 'align the keys of one entry',
      at: 'rest-of-line',
    },
  ],
  [
    'All sequence items must start at the same column',
    {
      message: 'this item is indented differently from the others',
      hint: 'align the "-" of one list',
    },
  ],
  [
    'Sequence item without - indicator',
    {
      message: 'this line is indented differently from the rest of its entry',
      hint: 'align the keys of one entry below each other, or begin an entry with "- "',
      at: 'rest-of-line',
    },
  ],
  ['end with a }', { message: 'a "{" is never closed', hint: 'close it with "}"', at: 'opening' }],
  ['end with a ]', { message: 'a "[" is never closed', hint: 'close it with "]"', at: 'opening' }],
  ['Unexpected , ', { message: 'a comma with nothing before it', hint: 'remove it' }],
  ['empty item in flow', { message: 'a comma with nothing before it', hint: 'remove it' }],
  ['token in YAML', { message: 'this is not allowed here' }],
  ['Missing , ', { message: 'a comma is missing', hint: 'put a comma between the items' }],
  [
    'at node end',
    {
      message: 'text follows the end of a value',
      hint: 'put the whole value in one pair of quotation marks',
    },
  ],
  [
    'Comments must be separated',
    {
      message: 'a "#" without a space before it',
      hint: 'put a space before a comment, or put text with "#" in quotation marks',
    },
  ],
  // The parser names its tokens here: flow-map-start, map-value-ind.
  [' token', { message: 'this is not allowed here' }],
];

function explainByMessage(message: string): Explanation {
  const known = byMessage.find(([part]) => message.includes(part));
  return known?.[1] ?? { message: message.charAt(0).toLowerCase() + message.slice(1) };
}

/** The quotation mark or bracket that is still open where the parser gave up: the last one before that position. */
function openingOf(document: Document.Parsed, text: string, gaveUp: Span): Span {
  let opening = gaveUp;
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [0, 0];
      if (start < gaveUp.start && end >= gaveUp.start && /["'[{]/.test(text.charAt(start))) {
        opening = { start, end: start + 1 };
      }
    },
  });
  return opening;
}

function restOfLine(text: string, from: number): Span {
  const { start } = skipBlanks(text, { start: from, end: from + 1 });
  const lineEnd = text.indexOf('\n', start);
  const rest = text.slice(start, lineEnd === -1 ? undefined : lineEnd).trimEnd();
  return { start, end: start + Math.max(1, rest.length) };
}

/** The parser includes the indentation in the span when it complains about a key. */
function skipBlanks(text: string, { start, end }: Span): Span {
  if (text[start] !== ' ') return { start, end };
  let first = start;
  while (text[first] === ' ') first += 1;
  return { start: first, end: Math.max(end, first + 1) };
}
