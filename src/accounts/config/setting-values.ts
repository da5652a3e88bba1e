import { parseDuration } from '../../core/lib/parse-duration.ts';
import { changeKinds, type WindowPolicy } from '../../core/model/policy.ts';
import { readWindowPolicies } from '../../input/policy/read-policy.ts';
import { windowFields } from '../../input/schema/policy-fields.ts';
import type { Member } from '../../input/sources/source-text.ts';
import { readWord } from '../../input/values/read-word.ts';
import { line, list, type Setting, text } from './setting.ts';

/** A time such as 10m, in milliseconds. */
export function duration(least: number, most: number, words: string): Setting<number> {
  const isAllowed = (ms: number | undefined) => ms !== undefined && ms >= least && ms <= most;
  const examples = ['30s', '10m', '2h', '7d'].filter((each) => isAllowed(parseDuration(each)));
  return line({
    words: `a time ${words}, such as ${examples.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
    parse(given) {
      const ms = parseDuration(given);
      return isAllowed(ms) ? ms : undefined;
    },
  });
}

export function integer(least: number, most: number): Setting<number> {
  return line(
    {
      words: `a number from ${least} to ${most}`,
      parse: (given) =>
        /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most
          ? Number(given)
          : undefined,
    },
    { type: 'integer', minimum: least, maximum: most },
  );
}

export const yesOrNo: Setting<boolean> = line(
  {
    words: 'true or false',
    parse: (given) => (given === 'true' ? true : given === 'false' ? false : undefined),
  },
  { type: 'boolean' },
);

export function word<const W extends string>(words: readonly [W, ...W[]]): Setting<W> {
  return {
    schema: { type: 'string', enum: words },
    rule: { words: `one of ${words.join(', ')}`, parse: (given) => words.find((each) => each === given) },
    read: (reading, { value }, what) => readWord(reading, value, what, words),
  };
}

/** A percentage or a number, as text or as a number of YAML. */
export const amountSchema = { anyOf: [{ type: 'string' }, { type: 'integer' }] } as const;

/** Change windows of an operator, as in a desired state. */
export const windows: Setting<readonly WindowPolicy[]> = {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: { type: 'string', description: windowFields.name.meaning },
        only: { ...list(text).schema, description: windowFields.only.meaning },
        kinds: {
          type: 'array',
          items: { type: 'string', enum: changeKinds },
          description: windowFields.kinds.meaning,
        },
        message: { type: 'string', description: windowFields.message.meaning },
      },
      required: ['name', 'only'],
      additionalProperties: false,
    },
  },
  read: (reading, given) => readWindowPolicies(reading, given as Member),
};
