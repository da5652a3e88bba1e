import fc from 'fast-check';
import type { ExpressionSubject } from '../../../src/core/model/expression.ts';
import type { AntivirusDetails } from '../../../src/core/model/observed.ts';
import { givenSubject } from './given-subject.ts';

// Few words, and some that begin with others, so that conditions hold now and then.
const word = fc.constantFrom(
  '',
  'B',
  'Be',
  'Ber',
  'Berlin',
  'Berlin-1',
  'in',
  'Köln',
  '"',
  '__proto__',
  '😀',
);
const literal = word.map((each) => JSON.stringify(each));
const textFact = fc.constantFrom(
  'host.name',
  'host.hostName',
  'host.group',
  'host.customFields["Site"]',
  'host.customFields["__proto__"]',
  'host.inventory.hardware.serviceTag',
);

const numberFact = fc.constantFrom(
  'host.id',
  'host.groupId',
  'host.antivirus.threats',
  'host.id % 7',
  'host.groupId % 2',
  'host.id % 9007199254740991',
  'host.antivirus.threats % 3',
);
const sign = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
const numeral = fc.constantFrom('-3', '-1', '-0', '0', '1', '2', '9007199254740991', '-9007199254740991');

const test = fc.oneof(
  fc.constantFrom('true', 'false', 'host.online', 'host.antivirus.installed', '"Site" in host.customFields'),
  fc.tuple(textFact, fc.constantFrom('==', '!='), literal).map((parts) => parts.join(' ')),
  fc.tuple(literal, fc.constantFrom('==', '!='), textFact).map((parts) => parts.join(' ')),
  fc.tuple(numberFact, sign, numeral).map((parts) => parts.join(' ')),
  fc.tuple(numeral, sign, numberFact).map((parts) => parts.join(' ')),
  fc
    .tuple(textFact, fc.array(literal, { maxLength: 3 }))
    .map(([fact, list]) => `${fact} in [${list.join(', ')}]`),
  fc
    .tuple(textFact, fc.constantFrom('startsWith', 'endsWith', 'contains'), literal)
    .map(([fact, name, text]) => `${fact}.${name}(${text})`),
);

/** Conditions that are simple through and through. */
export const anyCondition = fc.letrec<{ readonly tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    test,
    tie('tree').map((of) => `!(${of})`),
    fc
      .tuple(tie('tree'), fc.constantFrom('&&', '||'), tie('tree'))
      .map(([a, sign, b]) => `(${a}) ${sign} (${b})`),
    fc
      .tuple(tie('tree'), fc.constantFrom('==', '!='), fc.constantFrom('true', 'false'))
      .map(([a, sign, b]) => `(${a}) ${sign} ${b}`),
  ),
})).tree;

/** Conditions of all kinds: including those that only the library can evaluate, or that have a fault on some hosts. */
export const anyMixedCondition = fc.oneof(
  { arbitrary: anyCondition, weight: 3 },
  fc
    .tuple(
      anyCondition,
      fc.constantFrom('&&', '||'),
      fc.constantFrom('host.name.matches("^B")', 'int(host.name) == 1', 'host.name == host.group'),
      fc.boolean(),
    )
    .map(([simple, sign, other, turned]) =>
      turned ? `(${other}) ${sign} (${simple})` : `(${simple}) ${sign} (${other})`,
    ),
);

const integer = fc.constantFrom(
  '0',
  '-1',
  '1',
  '14',
  '-14',
  '999999999999999',
  '9007199254740991',
  '9007199254740993',
  '-9223372036854775808',
  '9223372036854775807',
);

/** The details of the anti-virus list. Conditions read only the number of threats. */
export const anyDetails = fc.integer({ min: 0, max: 3 }).map(
  (threats): AntivirusDetails => ({
    product: null,
    status: null,
    realTimeProtection: null,
    definitionsUpToDate: null,
    definitionVersion: null,
    lastFullScan: null,
    threats,
    several: null,
    build: null,
    mac: null,
  }),
);

export const anySubject: fc.Arbitrary<ExpressionSubject> = fc
  .record(
    {
      id: integer,
      name: word,
      hostName: word,
      group: word,
      groupId: integer,
      online: fc.boolean(),
      customFields: fc.oneof(
        fc.record({ Site: word }),
        fc.constant({}),
        word.map((value) => Object.fromEntries([['__proto__', value]])),
      ),
      hardware: fc.oneof(fc.record({ serviceTag: word }), fc.constant({})),
      antivirus: fc.record(
        { installed: fc.boolean(), supported: fc.boolean(), details: anyDetails },
        { requiredKeys: ['installed', 'supported'] },
      ),
    },
    { requiredKeys: [] },
  )
  .map(givenSubject);
