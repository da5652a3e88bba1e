import type { HostId } from '../../../../src/core/model/host-id.ts';
import { foldName as fold } from '../../../../src/core/model/host-name.ts';
import { isProvenTemporaryName, readTemporaryName } from '../../../../src/core/model/temporary-name.ts';
import { at as now } from '../../../given/fleet.ts';
import { conjunctsOf, type HostFacts, isCell, isSafe, nameOf, truthOf } from './condition.ts';
import type { Report } from './plan-text.ts';
import {
  type Entry,
  type GroupGiven,
  type Host,
  lineOf,
  type PlanningCase,
  type RuleGiven,
} from './planning-case.ts';

/** How often an expression may fail before Rampart evaluates it no more. */
const mostFaults = 3;
const attributes = ['rename', 'group', 'antivirus', 'ensure'] as const;

type Attribute = (typeof attributes)[number];
type Faults = { when: number; rename: number };

/** The temporary name of a host, if its hash proves that Rampart gave it. */
function provenName({ id, name }: Pick<Host, 'id' | 'name'>) {
  const found = readTemporaryName(name);
  return found !== undefined && isProvenTemporaryName(found, id as HostId) ? found : undefined;
}

/** The key of a row, unless it is a text that identifies no machine. */
export function keyOf({ key = '' }: { readonly key?: string }): string | undefined {
  const folded = fold(key.trim());
  return ['', 'n/a', '0'].includes(folded) ? undefined : folded;
}

export function factsOf({ table, groups }: PlanningCase, host: Host): HostFacts {
  const name = provenName(host)?.shown ?? host.name ?? undefined;
  const key = keyOf({ key: (table?.join === 'id' ? host.id : name) ?? '' });
  return {
    name,
    group: groups[host.group] ?? '',
    online: host.online ?? true,
    days: host.stateChangedAt === undefined ? undefined : daysSince(host.stateChangedAt),
    installed: host.antivirus === undefined ? undefined : host.antivirus === 'installed',
    row: key === undefined ? undefined : table?.rows.find((row) => keyOf(row) === key),
  };
}

function daysSince(time: string): number {
  return (Date.parse(now) - Date.parse(time)) / 86_400_000;
}

/** `guess`: it holds only because an unknown fact reads as empty. */
export function askRule({ when }: RuleGiven, facts: HostFacts, faults = 0) {
  if (conjunctsOf(when).some((each) => isSafe(each) && truthOf(each, facts, false) === false)) return 'no';
  const held = faults < mostFaults ? truthOf(when, facts, false) : 'fault';
  if (typeof held === 'string') return held;
  return !held ? 'no' : truthOf(when, facts, true) === true ? 'yes' : 'guess';
}

/** What the rules ask of one host after another. */
export function answerRules(given: PlanningCase, report: Report) {
  const { rules, skipBlocked } = given;
  const faults = rules.map((): Faults => ({ when: 0, rename: 0 }));
  return (host: Host, entry?: Entry) => {
    const facts = factsOf(given, host);
    const answers = rules.map((rule, index) => askRule(rule, facts, faults[index]?.when));
    const stop = [...answers, 'fault'].indexOf('fault');
    const own = {
      rename: entry?.name,
      group: entry?.group,
      antivirus: entry?.antivirus || undefined,
      ensure: entry,
    };
    const mayClaim = (index: number, attribute: Attribute) =>
      own[attribute] === undefined && rules[index]?.[attribute] !== undefined && index < stop;
    const claims = (index: number, attribute: Attribute) => {
      const isBold = attribute === 'rename' || rules[index]?.[attribute] === 'absent';
      const isSure = answers[index] === 'yes' || (answers[index] === 'guess' && !isBold);
      return isSure && mayClaim(index, attribute);
    };
    const setBy = (attribute: Attribute): number | undefined => {
      const decides = (answer: string, index: number) =>
        claims(index, attribute) || (answer === 'unknown' && mayClaim(index, attribute));
      const index = answers.findIndex(decides);
      return answers[index] === 'unknown' || index === -1 ? undefined : index;
    };
    for (const [index, answer] of answers.entries()) {
      const decides = attributes.some(
        (each) => mayClaim(index, each) && !answers.some((_, at) => at < index && claims(at, each)),
      );
      if (answer === 'fault') {
        report(skipBlocked ? 'warning' : 'error', 'rule-without-answer', lineOf.rule(index), [host]);
        (faults[index] as Faults).when += 1;
      }
      if (answer === 'unknown' && decides) report('note', 'unknown-facts', lineOf.rule(index), [host]);
      if (answer === 'guess' && index < stop) report('warning', 'unknown-facts', lineOf.rule(index), [host]);
    }
    const [naming, group, antivirus, ensure] = attributes.map(setBy);
    const claim = (rule: number) => ({ line: lineOf.rule(rule), rule });
    if (ensure !== undefined && rules[ensure]?.ensure === 'absent') return { absent: claim(ensure) };
    const name = naming === undefined ? completion() : nameBy(naming);
    if ([name, naming, group, antivirus, ensure].every((each) => each === undefined)) return undefined;
    return {
      name,
      group: group === undefined ? undefined : { to: rules[group]?.group as GroupGiven, ...claim(group) },
      antivirus: antivirus === undefined ? undefined : claim(antivirus),
    };

    /** If no rule names a host that has a temporary name, it gets its final name. */
    function completion() {
      const temporary = provenName(host);
      const rule = rules.findIndex(({ rename }) => rename !== undefined);
      if (temporary?.kind !== 'rename' || rule === -1 || stop < rules.length) return undefined;
      if (own.rename !== undefined) return undefined;
      report('note', 'temporary-name-left', undefined, [host]);
      return { to: temporary.shown, ...claim(rule), isCompletion: true };
    }

    function nameBy(rule: number) {
      const parts = rules[rule]?.rename ?? [];
      const made = nameOf(parts, facts);
      const isFault =
        'name' in made && (made.name.trim() === '' || readTemporaryName(made.name) !== undefined);
      const isLeftOut = !('name' in made) && parts.some((part) => 'of' in part && isCell(part.of));
      if (isFault) (faults[rule] as Faults).rename += 1;
      const isSkipped = (faults[rule] as Faults).rename > mostFaults - (isFault ? 0 : 1);
      if (isFault || isSkipped || (!('name' in made) && !isLeftOut))
        report(skipBlocked ? 'warning' : 'error', 'rule-without-answer', lineOf.rule(rule), [host]);
      else if (!('name' in made)) report('warning', 'unknown-facts', lineOf.rule(rule), [host]);
      else if (made.name !== made.name.trim())
        report('warning', 'suspicious-name', lineOf.rule(rule), [host]);
      return 'name' in made && !isFault && !isSkipped ? { to: made.name, ...claim(rule) } : undefined;
    }
  };
}
