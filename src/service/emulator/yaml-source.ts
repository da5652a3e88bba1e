import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type { Place } from '../../core/problem/problem.ts';

/** A YAML text with the places of its values. Integers are read as bigints. */
export interface YamlSource {
  readonly document: Document.Parsed;
  placeAt(offset: number, width?: number): Place;
  /** The place of a value, or of the nearest existing value around it. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** The place of a key in the mapping at the path. */
  placeOfKey(path: readonly PropertyKey[], key: string): Place;
}

export function readYamlSource(text: string, file: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    uniqueKeys: true,
    prettyErrors: false,
  });

  function placeAt(offset: number, width = 1): Place {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    const start = lines.lineStarts[line - 1] ?? 0;
    const [shown = ''] = text.slice(start).split(/\r?\n/, 1);
    const left = Math.max(1, shown.length - col + 1);
    return {
      file,
      line: Math.max(line, 1),
      col: Math.max(col, 1),
      width: Math.min(width, left),
      text: shown,
    };
  }

  function placeOfNode(node: Node | null): Place {
    const [start, end] = node?.range ?? [0, 1];
    return placeAt(start, isScalar(node) ? Math.max(1, end - start) : 1);
  }

  function nodeAt(path: readonly PropertyKey[]): Node | null {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isNode(node) ? node : null;
  }

  return {
    document,
    placeAt,
    placeOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const node = nodeAt(path.slice(0, length));
        if (node !== null) return placeOfNode(node);
      }
      return placeOfNode(document.contents);
    },
    placeOfKey(path, key) {
      const node = nodeAt(path);
      const pair = isMap(node)
        ? node.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
        : undefined;
      return placeOfNode(isNode(pair?.key) ? pair.key : node);
    },
  };
}
