import type { SentMessage } from '../messages/messages.ts';
import { formatPath, type Path } from '../value/path.ts';
import type { Type } from '../value/value.ts';
import { type BlockBody, typeOfBody } from './schema.ts';

type Step = SentMessage<'AttributeStep'>;

/** The whole path, as Terraform requires it for replacements. It ends before the elements of a set. */
export function pathMessage(body: BlockBody, path: Path): SentMessage<'AttributePath'> {
  return { steps: stepsOf(typeOfBody(body), path) };
}

/**
 * The part of a path whose source line Terraform can show, and the whole path as text if it was cut: Terraform points
 * at an argument or one of its elements, not deeper.
 */
export function shownPath(
  body: BlockBody,
  path: Path,
): { readonly message: SentMessage<'AttributePath'>; readonly cut: string | null } {
  const shown = stepsOf(typeOfBody(body), path).slice(0, stepsOfBlocks(body, path) + 2);
  return { message: { steps: shown }, cut: shown.length < path.length ? formatPath(path) : null };
}

/** How many steps of the path are blocks, before the name of an attribute. */
function stepsOfBlocks(body: BlockBody, path: Path): number {
  const block = body.blocks?.[String(path[0])];
  if (block === undefined || path.length === 0) return 0;
  const own = block.nesting === 'single' ? 1 : 2;
  return own + stepsOfBlocks(block, path.slice(own));
}

function stepsOf(type: Type | undefined, path: Path): readonly Step[] {
  const [key, ...rest] = path;
  if (key === undefined || type === undefined || typeof type === 'string' || 'set' in type) return [];
  if ('list' in type) return [{ elementKeyInt: BigInt(key) }, ...stepsOf(type.list, rest)];
  if ('map' in type) return [{ elementKeyString: String(key) }, ...stepsOf(type.map, rest)];
  const name = String(key);
  if (!Object.hasOwn(type.object, name)) return [];
  return [{ attributeName: name }, ...stepsOf(type.object[name], rest)];
}
