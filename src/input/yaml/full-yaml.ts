import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type ParsedNode,
  Parser,
  type Scalar,
} from 'yaml';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Member, ScalarNode, SourceText, Span, YamlNode } from '../sources/source-text.ts';
import { explainYamlErrors } from './explain-yaml-errors.ts';

/** A desired state needs six levels. The parser is recursive, and some thousands of levels would exhaust the stack. */
const maxDepth = 100;
const enoughErrors = 100;

/** Parses any file to a tree, or reports its problems. The only module that uses the `yaml` package. */
export function readFullYaml(
  source: SourceText,
  ifEmpty = 'for a desired state that manages nothing yet, write "version: 1" and "hosts: []"',
): Result<YamlNode> {
  const { documents, tooDeepAt } = compose(source.text);
  const [first, second] = documents;
  const errors =
    first?.errors.filter((error) => error.pos[0] < (tooDeepAt ?? Number.POSITIVE_INFINITY)) ?? [];
  if (first !== undefined && errors.length > 0) return failed(...explainYamlErrors(source, first, errors));
  if (tooDeepAt !== undefined) return failed(tooDeep(source, tooDeepAt));
  if (second !== undefined) return failed(secondDocument(source, second));
  if (first === undefined || first.contents === null || isNothing(first.contents))
    return failed(empty(source, ifEmpty));
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

function empty(source: SourceText, hint: string): Problem {
  return problem('file-empty', 'the file is empty', {
    place: source.placeOf({ start: 0, end: 0 }),
    hint,
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

/** Aliases may expand to this many nodes in any file, and to one node per character in larger files. */
const aliasAllowance = 10_000;

interface Anchor {
  readonly node: YamlNode;
  /** The number of nodes with aliases expanded. */
  readonly size: number;
}

interface Conversion {
  readonly source: SourceText;
  readonly problems: Problem[];
  /** `null` while the anchored node is being read. */
  readonly anchors: Map<string, Anchor | null>;
  readonly allowance: number;
  size: number;
  aliased: number;
}

/** Converts the parser's nodes to ours. Aliases share their target node, so an alias bomb takes no memory. */
function toYamlTree(source: SourceText, contents: ParsedNode): Result<YamlNode> {
  const conversion: Conversion = {
    source,
    problems: [],
    anchors: new Map(),
    allowance: Math.max(aliasAllowance, source.text.length),
    size: 0,
    aliased: 0,
  };
  const node = convert(conversion, contents);
  return conversion.problems.length > 0 ? failed(...conversion.problems) : ok(node);
}

function convert(conversion: Conversion, node: Node | null): YamlNode {
  if (node === null) return nothing(0);
  if (isAlias(node)) return followAlias(conversion, node);
  const anchor = (node as { readonly anchor?: string }).anchor;
  const sizeBefore = conversion.size;
  if (anchor !== undefined) conversion.anchors.set(anchor, null);
  refuseTag(conversion, node);
  const converted = convertUnanchored(conversion, node);
  conversion.size += 1;
  if (anchor !== undefined) {
    conversion.anchors.set(anchor, { node: converted, size: conversion.size - sizeBefore });
  }
  return converted;
}

function convertUnanchored(conversion: Conversion, node: Node): YamlNode {
  const span = spanOf(node);
  if (isSeq<Node>(node)) {
    return { kind: 'sequence', items: node.items.map((item) => convert(conversion, item)), ...span };
  }
  if (isMap<Node, Node | null>(node)) {
    const members: Member[] = [];
    for (const pair of node.items) {
      const key = convert(conversion, pair.key);
      const value = pair.value === null ? nothing(key.end) : convert(conversion, pair.value);
      if (key.kind === 'scalar') members.push({ key, value });
      else conversion.problems.push(keyOfManyParts(conversion.source, key));
    }
    return { kind: 'mapping', members, ...span };
  }
  if (isScalar(node)) return scalar(node, span);
  throw new Error('a YAML node of an unknown kind');
}

function scalar(node: Scalar, span: Span): ScalarNode {
  return {
    kind: 'scalar',
    text: String(node.value),
    plain: node.type === 'PLAIN' || node.type === undefined,
    ...span,
  };
}

function nothing(at: number): ScalarNode {
  return { kind: 'scalar', text: '', plain: true, start: at, end: at };
}

function followAlias(conversion: Conversion, alias: Alias): YamlNode {
  const span = spanOf(alias);
  const name = alias.source;
  const anchor = conversion.anchors.get(name);
  if (anchor === undefined || anchor === null) {
    const known = [...conversion.anchors.keys()].slice(0, 5).map((each) => `&${each}`);
    conversion.problems.push(
      problem(
        'yaml-syntax',
        anchor === null
          ? `${quoted(`*${name}`)} refers to a value that contains it`
          : `the anchor ${quoted(`&${name}`)} is not defined before this line`,
        {
          place: conversion.source.placeOf(span),
          hint:
            known.length > 0 && anchor === undefined
              ? `the anchors are ${known.join(', ')}; put text that starts with "*" in quotation marks`
              : 'put text that starts with "*" in quotation marks',
        },
      ),
    );
    return { ...nothing(span.start), end: span.end };
  }
  const before = conversion.aliased;
  conversion.size += anchor.size;
  conversion.aliased += anchor.size;
  if (before <= conversion.allowance && conversion.aliased > conversion.allowance) {
    conversion.problems.push(
      problem('yaml-alias-bomb', 'the aliases make the content of this file too large', {
        place: conversion.source.placeOf(span),
        hint: 'write the values in full, or use fewer aliases of large parts',
      }),
    );
  }
  return { ...anchor.node, ...span };
}

function refuseTag(conversion: Conversion, node: Node): void {
  const tag = (node as { readonly tag?: string }).tag;
  if (tag === undefined) return;
  const shown = tag.startsWith('tag:yaml.org,2002:') ? `!!${tag.slice('tag:yaml.org,2002:'.length)}` : tag;
  conversion.problems.push(
    problem('yaml-syntax', `tags such as ${quoted(shown)} are not supported`, {
      place: conversion.source.placeOf(spanOf(node)),
      hint: 'remove the tag; put text that looks like a number in quotation marks',
    }),
  );
}

function keyOfManyParts(source: SourceText, key: Span): Problem {
  return problem('wrong-type', 'a key must be text, not a list or a mapping', {
    place: source.placeOf(key),
    hint: 'a value that starts with "{" or "[" needs quotation marks',
  });
}

function spanOf(node: Node): Span {
  const [start, end] = node.range as readonly [number, number, number];
  return { start, end };
}
