import { countWhile } from '../../core/lib/binary-search.ts';
import { failed, ok, type Place, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { EncodedValue, ScriptOutput, ScriptPlace } from '../sources/script-output.ts';
import type { MappingNode, Member, ScalarNode, SourceText, Span, YamlNode } from '../sources/source-text.ts';
import { describeKind } from '../values/reading.ts';
import { type ScriptPlaces, scriptPlaces } from './script-place.ts';

export interface ScriptTree {
  readonly text: SourceText;
  readonly root: YamlNode;
}

/** The position of one node in the value: `parent` is the index of another step, -1 for the root. */
interface Step extends Span {
  readonly parent: number;
  readonly key: string | number;
  readonly at: ScriptPlace | undefined;
}

/** Places in the script itself, and in the files that its values come from. */
interface KnownPlaces {
  readonly own: ScriptPlaces;
  readonly byFile: ReadonlyMap<string, ScriptPlaces>;
}

/**
 * A script's export as a YAML tree, so that the same readers check it. Its text is generated and gives each value a
 * range of its own. A position in it is shown as the file and line of the value, and as its path, such as
 * `hosts[3].group`.
 */
export function scriptToTree(file: string, output: ScriptOutput): Result<ScriptTree> {
  const steps: Step[] = [];
  const parts: string[] = [];
  const problems: Problem[] = [];
  let length = 0;
  let joined: string | undefined;
  const places: KnownPlaces = {
    own: scriptPlaces({ name: file, text: output.text }),
    byFile: new Map([...output.files].map(([name, known]) => [name, scriptPlaces(known)])),
  };

  const text: SourceText = {
    file,
    get text() {
      joined ??= parts.join('');
      return joined;
    },
    placeOf: (span) => placeIn(steps, span, places),
    positionOf: (span) => placeIn(steps, span, places),
  };
  const tree = toNode(output.value, -1, '');
  if (problems.length > 0) return failed(...problems);
  return tree.kind === 'mapping' ? ok({ text, root: withVersion(tree) }) : failed(noFleet(text, tree));

  function stretch(content: string, parent: number, key: string | number, at?: ScriptPlace): Span {
    const step = { start: length, end: length + Math.max(1, content.length), parent, key, at };
    steps.push(step);
    parts.push(content, '\n');
    length += content.length + 1;
    return step;
  }

  function toNode(value: EncodedValue, parent: number, key: string | number): YamlNode {
    const own = steps.length;
    if (typeof value === 'string') {
      const { start, end } = stretch(value, parent, key);
      return { kind: 'scalar', text: value, plain: false, start, end };
    }
    if ('plain' in value) {
      const { start, end } = stretch(value.plain, parent, key);
      return { kind: 'scalar', text: value.plain, plain: true, start, end };
    }
    if ('items' in value) {
      const { start, end } = stretch('[', parent, key);
      const items = value.items.map((item, index) => toNode(item, own, index));
      return { kind: 'sequence', items, start, end };
    }
    if ('members' in value) {
      const { start, end } = stretch('{', parent, key, value.at);
      const members = value.members.map(
        ([name, member]): Member => ({
          key: { kind: 'scalar', text: name, plain: false, start, end },
          value: toNode(member, own, name),
        }),
      );
      return { kind: 'mapping', members, start, end };
    }
    const span = stretch('', parent, key);
    problems.push(
      problem('wrong-type', `${value.refused} can't be part of a desired state`, {
        place: text.placeOf(span),
        ...(value.hint === undefined ? {} : { hint: value.hint }),
      }),
    );
    return { kind: 'scalar', text: '', plain: true, start: span.start, end: span.end };
  }
}

function noFleet(text: SourceText, tree: YamlNode): Problem {
  return problem('wrong-type', `the script exports ${describeKind(tree)}, not a fleet`, {
    place: text.placeOf(tree),
    hint: 'write "export default defineFleet({ hosts: [ … ] })"',
  });
}

/** Scripts may omit the version. */
function withVersion(tree: MappingNode): MappingNode {
  if (tree.members.some((member) => member.key.text === 'version')) return tree;
  const scalar = (text: string, plain: boolean): ScalarNode => ({
    kind: 'scalar',
    text,
    plain,
    start: tree.start,
    end: tree.end,
  });
  const version: Member = { key: scalar('version', false), value: scalar('1', true) };
  return { ...tree, members: [version, ...tree.members] };
}

function placeIn(steps: readonly Step[], span: Span, { own, byFile }: KnownPlaces): Place {
  let index = stepAt(steps, span.start);
  const { start, end } = steps[index] as Step;
  const within = span.start > start || span.end < end ? `, character ${span.start - start + 1}` : '';
  const keys: (string | number)[] = [];
  let at: ScriptPlace | undefined;
  while (index >= 0) {
    const step = steps[index] as Step;
    at ??= step.at;
    if (step.parent >= 0) keys.unshift(step.key);
    index = step.parent;
  }
  const known = at === undefined ? undefined : byFile.get(at.file);
  const place = at === undefined || known === undefined ? own() : known(at.line, at.col);
  return keys.length === 0 ? place : { ...place, part: `${pathOf(keys)}${within}` };
}

/** The last step that begins at or before the offset. */
function stepAt(steps: readonly Step[], offset: number): number {
  return countWhile(steps.length, (at) => (steps[at] as Step).start <= offset) - 1;
}

function pathOf(keys: readonly (string | number)[]): string {
  return keys
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : /^[A-Za-z_$][\w$]*$/.test(key)
          ? `${index === 0 ? '' : '.'}${key}`
          : `[${JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)}]`,
    )
    .join('');
}
