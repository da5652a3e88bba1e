import { ok, type Result } from '../../core/problem/problem.ts';
import type { SourceText, YamlNode } from '../sources/source-text.ts';
import { readFastYaml } from './fast-yaml.ts';
import { readFullYaml } from './full-yaml.ts';

/**
 * Parses one file to a tree: YAML 1.2, one document, no tags, no merge keys. The fast reader reads nearly every file,
 * much faster than the full reader, with the same tree. The full reader reads everything else, including mistakes. `ifEmpty` is the hint for a file without content; that of a desired state, if absent.
 */
export function parseYaml(source: SourceText, ifEmpty?: string): Result<YamlNode> {
  const tree = readFastYaml(source.text);
  return tree === undefined ? readFullYaml(source, ifEmpty) : ok(tree);
}
