import {
  type CelValue,
  celEnv,
  celUint,
  isCelError,
  isCelList,
  isCelMap,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { type CelLibrary, showUint, showValue } from './cel-conformance.ts';

const bufbuildEnvironment = celEnv({ funcs: strings });

export const bufbuild: CelLibrary = {
  name: '@bufbuild/cel',
  evaluate: ({ source, bindings }) => {
    const value = plan(bufbuildEnvironment, parse(source))(bindings as never);
    if (isCelError(value)) throw value;
    return showCel(value);
  },
  uint: (value) => celUint(value),
};

export function showCel(value: CelValue): string {
  if (isCelUint(value)) return showUint(value.value);
  if (isCelList(value)) return `[${[...value].map(showCel).join(', ')}]`;
  if (isCelMap(value)) {
    const entries = [...value.entries()].map(([key, each]) => `${showCel(key)}: ${showCel(each)}`);
    return `{${entries.toSorted().join(', ')}}`;
  }
  return showValue(value);
}
