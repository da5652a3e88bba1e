import { defined } from '../../core/lib/defined.ts';
import { toHostId } from '../../core/model/observed.ts';
import type { ChangePattern, HostPattern } from '../../core/model/plan-expectation.ts';
import type { YamlNode } from '../sources/source-text.ts';
import { readBoolean, readGroup, readText } from '../values/read-text.ts';
import { itemHead, kindOf, type Reading, readMember, readMembers, report } from '../values/reading.ts';
import { changeKeys } from './test-keys.ts';

const example = 'write, for example: - { host: BER-WEB-01, rename: BER-WEB-02 }';

/** An item of `changes`, `includes` or `never`. Only `never` may match any host, or any change of one. */
export function readChangePattern(
  reading: Reading,
  node: YamlNode,
  { open }: { readonly open: boolean },
): ChangePattern | undefined {
  const members = readMembers(reading, node, changeKeys, { what: 'a change', example });
  if (members === undefined) return undefined;
  const host = readMember(members.host, (value, at) => readHost(reading, value, at));
  const rename = readMember(members.rename, (value, at) => {
    if (isTrue(value)) return 'any' as const;
    const to = readText(reading, value, '"rename"', at);
    return to === undefined ? undefined : { to };
  });
  const move = readMember(members.move, (value, at) =>
    isTrue(value) ? ('any' as const) : readGroup(reading, value, at),
  );
  const antivirus = readMember(members.antivirus, (value, at) => readTrue(reading, value, '"antivirus"', at));
  const toDelete = readMember(members.delete, (value, at) => readTrue(reading, value, '"delete"', at));

  const kinds = [members.rename, members.move, members.antivirus, members.delete];
  const namesChange = kinds.some((each) => each !== undefined);
  const lacksHost = members.host === undefined && (!open || !namesChange);
  const lacksKind = !namesChange && !open;
  if (lacksHost) report(reading, itemHead(node), 'missing-key', 'a change needs "host"', { hint: example });
  if (lacksKind) {
    report(reading, itemHead(node), 'missing-key', 'the change has no expected result for the host', {
      hint: 'add "rename", "move", "antivirus: true" or "delete: true"',
    });
  }
  if (lacksHost || lacksKind) return undefined;
  return {
    ...defined({ host, rename, move, antivirus }),
    ...(toDelete === undefined ? {} : { delete: toDelete }),
    place: reading.source.placeOf(itemHead(node)),
  };
}

function readHost(reading: Reading, node: YamlNode, at: YamlNode): HostPattern | undefined {
  const id = node.kind === 'scalar' && kindOf(node) === 'integer' ? toHostId(node.text) : undefined;
  if (id !== undefined) return { kind: 'id', id };
  const name = readText(reading, node, 'the host', at);
  return name === undefined ? undefined : { kind: 'named', name };
}

function isTrue(node: YamlNode): boolean {
  return node.kind === 'scalar' && kindOf(node) === 'boolean' && node.text.toLowerCase() === 'true';
}

/** `false` would read as "is not", which `never` expresses. */
function readTrue(reading: Reading, node: YamlNode, what: string, at: YamlNode): 'any' | undefined {
  const value = readBoolean(reading, node, what, at);
  if (value !== false) return value === undefined ? undefined : 'any';
  return report(reading, at, 'invalid-value', `${what} can only be true`, {
    hint: 'list changes that must not happen under "never"',
  });
}
