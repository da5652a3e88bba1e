import { type IResolvable, propertyAccess, Token } from 'cdktf';
import { type AttributeShapes, type Camel, camel, type NestedShape, type PlainShape } from './shape.ts';

/** A part of an attribute in the program: a token of its type; an object for its parts. */
type TokenOf<Each extends PlainShape | NestedShape> = Each extends { readonly type: 'string' }
  ? string
  : Each extends { readonly type: 'number' }
    ? number
    : IResolvable;

export type TokensOf<A extends AttributeShapes> = {
  readonly [Name in keyof A & string as Camel<Name>]: TokenOf<A[Name]>;
};

/** The parts of one element of a computed list or map, as tokens. */
export function tokensAt<A extends AttributeShapes>(
  collection: IResolvable,
  at: string | number,
  attributes: A,
): TokensOf<A> {
  const tokens = Object.entries(attributes).map(([name, each]) => {
    const token = propertyAccess(collection, [at, name]);
    return [camel(name), typed(each, token)] as const;
  });
  return Object.fromEntries(tokens) as TokensOf<A>;
}

function typed(each: PlainShape | NestedShape, token: IResolvable): string | number | IResolvable {
  if ('type' in each && each.type === 'string') return Token.asString(token);
  if ('type' in each && each.type === 'number') return Token.asNumber(token);
  return token;
}
