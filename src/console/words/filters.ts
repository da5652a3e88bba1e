import { healthMarks, worstFirst } from './health.ts';

/** The parameters of the address that filter the list of accounts. */
export const accountFilterNames = ['q', 'health', 'where', 'cause'] as const;
export const hostFilterNames = ['q', 'account', 'where', 'group', 'state', 'drifted'] as const;

/** The choices of health: all, those that need attention, each one, and what an address of a link names besides. */
export function healthChoices(chosen: string): readonly { readonly value: string; readonly text: string }[] {
  const choices = [
    { value: '', text: 'Any' },
    { value: 'failing,in_doubt,drifted,waiting', text: 'Needs attention' },
    ...worstFirst.map((value) => ({ value, text: `${healthMarks[value].glyph} ${healthMarks[value].word}` })),
    { value: 'unchecked', text: 'not checked' },
  ];
  return choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, text: chosen.replaceAll(',', ', ').replaceAll('_', ' ') }];
}

/** A label expression with one more condition. Names of labels are names of CEL. A condition in it changes nothing. */
export function withLabel(where: string, name: string, value: string): string {
  const condition = `${name} == ${JSON.stringify(value)}`;
  if (where.trim() === '') return condition;
  return where.includes(condition) ? where : `${where} && ${condition}`;
}
