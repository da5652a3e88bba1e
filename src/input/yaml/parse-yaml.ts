import { ok, type Result } from '../../core/problem/result.ts';
import type { SourceText } from '../sources/source-text.ts';
import type { YamlNode } from '../sources/yaml-tree.ts';
import { readFastYaml } from './fast-yaml.ts';
import { readFullYaml } from './full-yaml.ts';

/**
 * One file to a tree: YAML 1.2, one document, no tags, no merge keys. What nearly every file is written in is read some
 * twenty times as fast as the full reader reads it, which gives the same tree; all else, mistakes too, is for that.
 */
export function parseYaml(source: SourceText): Result<YamlNode> {
  const tree = readFastYaml(source.text);
  return tree === undefined ? readFullYaml(source) : ok(tree);
}
