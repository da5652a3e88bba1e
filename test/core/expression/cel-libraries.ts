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
import { Environment } from '@marcbachmann/cel-js';
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

const marcbachmannEnvironment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
});

export const marcbachmann: CelLibrary = {
  name: '@marcbachmann/cel-js',
  evaluate: ({ source, bindings }) => showJs(marcbachmannEnvironment.evaluate(source, bindings)),
  uint: toUint,
};

/** The library does not export its class of unsigned numbers. */
function toUint(value: bigint): unknown {
  return marcbachmannEnvironment.evaluate(`${value}u`);
}

const unsigned = (toUint(0n) as object).constructor as new () => unknown;

function showJs(value: unknown): string {
  if (value instanceof unsigned) return showUint(BigInt(String(value)));
  if (Array.isArray(value)) return `[${value.map(showJs).join(', ')}]`;
  if (value instanceof Map || (typeof value === 'object' && value?.constructor === Object)) {
    const pairs = value instanceof Map ? [...value] : Object.entries(value);
    return `{${pairs
      .map(([key, each]) => `${showJs(key)}: ${showJs(each)}`)
      .toSorted()
      .join(', ')}}`;
  }
  return showValue(value);
}
