import type { ExpressionScope } from '../../core/expression/compile.ts';
import type { ChangeWindow } from '../../core/model/change-window.ts';
import type { Condition, Template } from '../../core/model/expression.ts';
import type { GroupIntent, HostId } from '../../core/model/observed.ts';
import type { Limit } from '../../core/model/policy.ts';

/** A key of the desired state. The reader, the JSON Schema and the documentation are derived from its declaration. */
export type Field = ValueField | PartField;

export type Fields = Readonly<Record<string, Field>>;

interface FieldBase {
  /** The description that editors and the documentation show. */
  readonly meaning: string;
  readonly required?: true;
  /** The hint if a required key is missing. Default: the example of its section. */
  readonly ifMissing?: string;
}

/** A key with one value, which `read-fields.ts` reads. */
export interface ValueField extends FieldBase {
  readonly type: keyof Values<readonly string[]>;
  /** The words that `word` accepts, or the items of `words`. */
  readonly words?: readonly string[];
  /** The facts that a `condition` may read. */
  readonly scope?: ExpressionScope;
  /** The name of the value in messages. Default: the key in quotation marks. */
  readonly noun?: string;
  /** The problem if a list of `words` has no item. Without it, the list may be empty. */
  readonly ifEmpty?: { readonly message: string; readonly hint: string };
}

/** A key with keys below it, or with tables of entries. Each has its own reader. */
export type PartField =
  | (FieldBase & { readonly type: 'section' | 'list' | 'section or list'; readonly fields: Fields })
  | (FieldBase & { readonly type: 'tables' });

/** The type of each kind of value for readers and planners. `time` is in RFC 3339. */
interface Values<Words> {
  readonly version: 1;
  readonly id: string;
  readonly text: string;
  readonly names: readonly string[];
  readonly host: { readonly id: HostId } | { readonly name: string };
  readonly group: GroupIntent;
  readonly boolean: boolean;
  readonly time: string;
  readonly word: WordOf<Words>;
  readonly words: readonly WordOf<Words>[];
  readonly limit: Limit;
  readonly condition: Condition;
  readonly template: Template;
  /** An expression of type string or int. */
  readonly expression: Template;
  readonly count: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly hours: readonly ChangeWindow[];
}

type WordOf<Words> = Words extends readonly (infer Word)[] ? Word : never;

type ValueOf<F> = F extends { readonly type: infer Type extends keyof Values<unknown> }
  ? Values<F extends { readonly words: infer Words } ? Words : never>[Type]
  : never;

/** The values of a section as read; undefined for those that it does not have. */
export type ValuesOf<F extends Fields> = { readonly [Key in keyof F]?: ValueOf<F[Key]> | undefined };

/** The description of each key. */
export function meaningsOf<F extends Fields>(fields: F): { readonly [Key in keyof F]: string } {
  const meanings = Object.entries(fields).map(([key, { meaning }]) => [key, meaning]);
  return Object.fromEntries(meanings) as { readonly [Key in keyof F]: string };
}
