import type { YamlNode } from '../sources/source-text.ts';

/** The kind of a node in the core schema of YAML 1.2 (section 10.3); `nothing` is an omitted value. */
export type NodeKind = 'text' | 'nothing' | 'null' | 'boolean' | 'integer' | 'number' | 'list' | 'mapping';

export function kindOf(node: YamlNode): NodeKind {
  if (node.kind === 'sequence') return 'list';
  if (node.kind === 'mapping') return 'mapping';
  if (!node.plain) return 'text';
  if (node.text === '') return 'nothing';
  if (!mayBeElse.test(node.text)) return 'text';
  if (/^(?:~|null|Null|NULL)$/.test(node.text)) return 'null';
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(node.text)) return 'boolean';
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(node.text)) return 'integer';
  if (
    /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(
      node.text,
    )
  ) {
    return 'number';
  }
  return 'text';
}

/** Texts that may be something else. The first character decides for nearly every text. */
const mayBeElse = /^[~nNtTfF\d.+-]/;

const phrases: Readonly<Record<NodeKind, string>> = {
  text: 'text',
  nothing: 'nothing',
  null: 'null',
  boolean: 'true or false',
  integer: 'a number',
  number: 'a number',
  list: 'a list',
  mapping: 'a mapping',
};

/** For "… must be a list, not text". */
export function describeKind(node: YamlNode): string {
  return phrases[kindOf(node)];
}
