import type { SentMessage } from '../messages/messages.ts';
import { formatPath, type Path } from '../value/path.ts';
import type { Type } from '../value/value-type.ts';
import { isNested } from './attribute.ts';
import type { BlockBody } from './schema.ts';
import { typeOfAttribute } from './type-of-schema.ts';

type Step = SentMessage<'AttributeStep'>;

/** The whole path, as Terraform requires it for replacements. It ends before the elements of a set. */
export function pathMessage(body: BlockBody, path: Path): SentMessage<'AttributePath'> {
  return { steps: stepsOf(body, path) };
}

/**
 * The part of a path whose source line Terraform can show, and the whole path as text if it was cut: Terraform points
 * at an argument or one of its elements, not deeper.
 */
export function shownPath(
  body: BlockBody,
  path: Path,
): { readonly message: SentMessage<'AttributePath'>; readonly cut: string | null } {
  const inBlocks = stepsOfBlocks(body, path);
  const steps = stepsOf(body, path);
  const shown = steps.slice(0, inBlocks + 2);
  return { message: { steps: shown }, cut: shown.length < path.length ? formatPath(path) : null };
}

/** How many steps of the path are blocks, before the name of an attribute. */
function stepsOfBlocks(body: BlockBody, path: Path): number {
  const block = body.blocks?.[String(path[0])];
  if (block === undefined || path.length === 0) return 0;
  const own = block.nesting === 'single' || block.nesting === 'group' ? 1 : 2;
  return block.nesting === 'set' ? 0 : own + stepsOfBlocks(block, path.slice(own));
}

function stepsOf(body: BlockBody, path: Path): readonly Step[] {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  const here: Step = { attributeName: String(name) };
  const block = body.blocks?.[String(name)];
  const attribute = body.attributes?.[String(name)];
  if (block !== undefined) return [here, ...stepsInside(block.nesting, block, rest)];
  if (attribute === undefined) return [];
  if (isNested(attribute)) return [here, ...stepsInside(attribute.nested, attribute, rest)];
  return [here, ...stepsOfType(typeOfAttribute(attribute), rest)];
}

function stepsInside(
  nesting: 'single' | 'group' | 'list' | 'set' | 'map',
  body: BlockBody,
  path: Path,
): readonly Step[] {
  if (nesting === 'single' || nesting === 'group') return stepsOf(body, path);
  const [key, ...rest] = path;
  if (key === undefined || nesting === 'set') return [];
  return [elementStep(nesting, key), ...stepsOf(body, rest)];
}

function stepsOfType(type: Type, path: Path): readonly Step[] {
  const [key, ...rest] = path;
  if (key === undefined || typeof type === 'string' || 'set' in type) return [];
  if ('list' in type) return [elementStep('list', key), ...stepsOfType(type.list, rest)];
  if ('map' in type) return [elementStep('map', key), ...stepsOfType(type.map, rest)];
  if ('tuple' in type)
    return [elementStep('list', key), ...stepsOfType(type.tuple[Number(key)] ?? 'dynamic', rest)];
  return [{ attributeName: String(key) }, ...stepsOfType(type.object[String(key)] ?? 'dynamic', rest)];
}

function elementStep(nesting: 'list' | 'map', key: string | number): Step {
  return nesting === 'list' ? { elementKeyInt: BigInt(key) } : { elementKeyString: String(key) };
}
