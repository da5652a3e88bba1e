import { type IResolvable, propertyAccess, Token } from 'cdktf';
import { camel } from './arguments.ts';

/**
 * The parts of one element of a computed list or map, as tokens.
 *
 * @public
 */
export function tokensAt<Tokens>(
  collection: IResolvable,
  at: string | number,
  parts: Readonly<Record<string, 'string' | 'number' | 'other'>>,
): Tokens {
  const tokens = Object.entries(parts).map(([name, kind]) => {
    const token = propertyAccess(collection, [at, name]);
    if (kind === 'string') return [camel(name), Token.asString(token)] as const;
    return [camel(name), kind === 'number' ? Token.asNumber(token) : token] as const;
  });
  return Object.fromEntries(tokens) as Tokens;
}
