import { Composer, type CST, type Document, isScalar, Lexer, type ParsedNode, Parser } from 'yaml';
import { failed, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { SourceText, YamlNode } from '../sources/source-text.ts';
import { explainYamlErrors } from './explain-yaml-errors.ts';
import { toYamlTree } from './to-yaml-tree.ts';

/** A desired state needs six levels. The parser is recursive, and some thousands of levels would exhaust the stack. */
const maxDepth = 100;
const enoughErrors = 100;

/** Parses any file to a tree, or reports its problems. The only module that uses the `yaml` package. */
export function readFullYaml(source: SourceText): Result<YamlNode> {
  const { documents, tooDeepAt } = compose(source.text);
  const [first, second] = documents;
  const errors =
    first?.errors.filter((error) => error.pos[0] < (tooDeepAt ?? Number.POSITIVE_INFINITY)) ?? [];
  if (first !== undefined && errors.length > 0) return failed(...explainYamlErrors(source, first, errors));
  if (tooDeepAt !== undefined) return failed(tooDeep(source, tooDeepAt));
  if (second !== undefined) return failed(secondDocument(source, second));
  if (first === undefined || first.contents === null || isNothing(first.contents))
    return failed(empty(source));
  const { yaml } = first.directives;
  if (yaml.explicit === true && yaml.version !== '1.2') {
    return failed(
      problem('yaml-syntax', `YAML ${yaml.version} is not supported`, {
        place: source.placeOf(lineWith(source.text, '%YAML')),
        hint: 'remove the %YAML line: Rampart reads YAML 1.2',
      }),
    );
  }
  return toYamlTree(source, first.contents);
}

interface Composed {
  /** At most two: one more than allowed. */
  readonly documents: readonly Document.Parsed[];
  readonly tooDeepAt: number | undefined;
}

/** With the `failsafe` schema every scalar stays text. Keys are checked for uniqueness by the reader, in linear time. */
function compose(text: string): Composed {
  const guard: { tooDeepAt?: number } = {};
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  const documents: Document.Parsed[] = [];
  withoutStackTraces(() => {
    for (const document of composer.compose(tokens(text, guard), true, text.length)) {
      documents.push(document);
      if (documents.length === 2) break;
    }
  });
  return { documents, tooDeepAt: guard.tooDeepAt };
}

function* tokens(text: string, guard: { tooDeepAt?: number }): Generator<CST.Token, void> {
  const parser = new Parser();
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors += 1;
      yield token;
    }
    if (errors === enoughErrors) return;
    if (parser.stack.length > maxDepth) {
      guard.tooDeepAt = parser.offset - 1;
      break;
    }
  }
  yield* parser.end();
}

/** The parser makes an `Error` for every mistake. Stack traces would make reading a hostile file slow. */
function withoutStackTraces(work: () => void): void {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function isNothing(node: ParsedNode): boolean {
  return isScalar(node) && node.type === 'PLAIN' && node.value === '' && node.tag === undefined;
}

function empty(source: SourceText): Problem {
  return problem('file-empty', 'the file is empty', {
    place: source.placeOf({ start: 0, end: 0 }),
    hint: 'for a desired state that manages nothing yet, write "version: 1" and "hosts: []"',
  });
}

function tooDeep(source: SourceText, at: number): Problem {
  return problem('yaml-syntax', `more than ${maxDepth} levels of nesting`, {
    place: source.placeOf({ start: at, end: at + 1 }),
    hint: 'a desired state needs at most six levels',
  });
}

function secondDocument(source: SourceText, document: Document.Parsed): Problem {
  const start = source.text.lastIndexOf('---', document.range[0]);
  return problem('yaml-syntax', 'a second YAML document starts here', {
    place: source.placeOf({ start, end: start + 3 }),
    hint: 'move it to a separate file: files and folders passed with -f are merged',
  });
}

function lineWith(text: string, word: string): { start: number; end: number } {
  const start = Math.max(0, text.indexOf(word));
  return { start, end: start + word.length };
}
