import type { Span } from './source-text.ts';

/**
 * A YAML file as a tree with positions, independent of the parser. Scalars keep their text, so that integers of any
 * size stay exact; `scalar-kind.ts` determines the meaning of a plain one.
 */
export type YamlNode = ScalarNode | SequenceNode | MappingNode;

export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly text: string;
  /** False in quotation marks or as a block scalar, which are always text. */
  readonly plain: boolean;
}

export interface SequenceNode extends Span {
  readonly kind: 'sequence';
  readonly items: readonly YamlNode[];
}

export interface MappingNode extends Span {
  readonly kind: 'mapping';
  readonly members: readonly Member[];
}

/** Keys that are repeated in the file are repeated here. */
export interface Member {
  readonly key: ScalarNode;
  readonly value: YamlNode;
}
