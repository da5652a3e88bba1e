import {
  type CelList,
  CelScalar,
  type CelType,
  type CelValue,
  celEnv,
  celFunc,
  celMethod,
  isCelError,
  listType,
  mapType,
  objectType,
  plan,
} from '@bufbuild/cel';
import type { ChangeFacts, Evaluated, Subject } from '../../model/expression.ts';
import type { CelType as Type } from '../checker/cel-type.ts';
import { factFunctions } from '../facts/fact-functions.ts';
import { functionForms } from '../functions/functions.ts';
import { loopFunctions } from '../functions/loop-functions.ts';
import type { Expr } from '../syntax/syntax-tree.ts';
import { faultWords } from './fault-words.ts';
import { boundedLength, boundedList, mostWork, type Running, whileRunning } from './running.ts';

const { STRING, DYN } = CelScalar;
const anyList = listType(DYN);

/** The library with our functions in place of its own where those are unbounded. */
const environment = celEnv({
  funcs: [
    ...functionForms.flatMap(({ name, receiver, params, result, run }) => {
      if (run === undefined) return [];
      const types = params.map(libraryType);
      const body = run as (...args: readonly unknown[]) => never;
      return receiver === undefined
        ? celFunc(name, types, libraryType(result), (...args) => body(...args))
        : celMethod(name, libraryType(receiver), types, libraryType(result), function (...args) {
            return body(this, ...args);
          });
    }),
    ...factFunctions,
    ...loopFunctions,
    celFunc('_+_', [STRING, STRING], STRING, (a, b) => {
      boundedLength(a.length + b.length);
      return a + b;
    }),
    celFunc(
      '_+_',
      [anyList, anyList],
      anyList,
      (a: CelList, b: CelList) => boundedList([...a, ...b]) as never,
    ),
  ],
});

export type Missing = Running['missing'];

/** How a checked expression is carried out for one host after another. */
export function createEvaluator(
  expr: Expr,
  missing: Missing,
): (subject: Subject, change?: ChangeFacts) => Evaluated<CelValue> {
  const evaluate = plan(environment, expr);
  return (subject, change) => {
    const running = { subject, missing, left: mostWork, ...(change === undefined ? {} : { change }) };
    const result = whileRunning(running, () => evaluate());
    return isCelError(result)
      ? { ok: false, fault: { message: faultWords(result) } }
      : { ok: true, value: result };
  };
}

function libraryType(type: Type): CelType {
  switch (type.kind) {
    case 'scalar':
      if (type.name === 'timestamp' || type.name === 'duration') {
        return objectType(
          type.name === 'timestamp' ? 'google.protobuf.Timestamp' : 'google.protobuf.Duration',
        );
      }
      return CelScalar[type.name.toUpperCase() as 'BOOL' | 'INT' | 'DOUBLE' | 'STRING'];
    case 'list':
      return anyList;
    case 'map':
      return mapType(DYN, DYN);
    case 'object':
    case 'any':
    case 'unknown':
      return DYN;
  }
}
