import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelValue,
  celFunc,
  celList,
  isCelList,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import { macroCalls } from '../checker/macro-calls.ts';
import { longestList } from '../expression-limits.ts';
import { PlainFault, spend, spendOnItems } from '../running/running.ts';

const { BOOL, DYN } = CelScalar;
const LIST = listType(DYN);

/** The items of lists that a macro is still building. */
const growing = new WeakMap<CelList, unknown[]>();

export const loopFunctions: readonly CelFunc[] = [
  celFunc(macroCalls.step, [], BOOL, () => {
    spend(1);
    return true;
  }),
  celFunc(macroCalls.empty, [], LIST, () => {
    const items: never[] = [];
    const list = celList(items);
    growing.set(list, items);
    return list;
  }),
  celFunc(macroCalls.push, [LIST, DYN], LIST, (list, item) => {
    const items = growing.get(list);
    if (items === undefined) throw new Error('the list of a macro is not its own');
    if (items.length >= longestList) {
      throw new PlainFault(`the expression creates a list of more than ${longestList} items`);
    }
    items.push(item);
    return list;
  }),
  celFunc(macroCalls.weigh, [DYN], DYN, (value) => {
    weigh(value);
    return value;
  }),
];

function weigh(value: CelValue): void {
  if (!isCelList(value) && !isCelMap(value)) return;
  spendOnItems(value.size);
  for (const item of value.values()) {
    if (!isCelList(item) && !isCelMap(item)) return;
    weigh(item);
  }
}
