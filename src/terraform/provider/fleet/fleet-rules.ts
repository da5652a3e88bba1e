import type { ConfigRule } from '../../protocol/schema/config-rule.ts';
import { isUnknown, type Value } from '../../protocol/value/value.ts';

/** The arguments and blocks of a desired state, as an alternative to the content of a file. */
export const partsOfDesired = [
  'identity',
  'host',
  'rule',
  'group',
  'policy',
  'unmanaged',
  'company_id',
] as const;

const description =
  'set the desired state either with `content`, or with `identity`, `host`, `rule`, `group` and `policy` blocks, `unmanaged` and `company_id`';

export const contentOrBlocks: ConfigRule = {
  description,
  check(config) {
    const content = config['content'] ?? null;
    const file = config['file'] ?? null;
    const set = partsOfDesired.filter((name) => isSet(config[name]));
    const isUnsure = isUnknown(content) || partsOfDesired.some((name) => isUnknown(config[name]));
    const [part] = set;
    if (part !== undefined && isSet(content)) return { attribute: part, fault: description };
    if (part !== undefined && isSet(file))
      return {
        attribute: 'file',
        fault: '`file` is the name of `content` in messages, and `content` is not set',
      };
    if (part !== undefined && isSet(config['tables']))
      return {
        attribute: 'tables',
        fault: '`tables` has the files that `content` names, and `content` is not set',
      };
    return part === undefined && content === null && !isUnsure
      ? { attribute: 'content', fault: description }
      : null;
  },
};

/** Neither null nor unknown, and for a list of blocks not empty. */
function isSet(value: Value | undefined): boolean {
  if (value === undefined || value === null || isUnknown(value)) return false;
  return !Array.isArray(value) || value.length > 0;
}
