import { printable } from '../../core/lib/printable.ts';
import { figure } from '../../output/components/numbers.ts';

/** A fact of an inventory as text. Bytes get a unit. */
export function factText(name: string, value: string | number | boolean | null): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value === '' ? '(empty)' : printable(value);
  return /memory|disk|storage|bytes/i.test(name) && value >= 1024 ** 2 ? bytesText(value) : figure(value);
}

function bytesText(bytes: number): string {
  const units = ['MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(1024)) - 1);
  return `${figure(Math.round((bytes / 1024 ** (power + 1)) * 10) / 10)} ${units[power - 1]}`;
}

/** The name of a fact. A custom field has the name of its category. */
export function factName(fact: string): string {
  return fact === 'serviceTag' ? 'serial number' : fact.replace(/^customFields\./, '');
}

const attributes: Readonly<Record<string, string>> = { antivirus: 'anti-virus' };

/** The word for an attribute of a host. */
export function attributeText(attribute: string): string {
  return attributes[attribute] ?? attribute;
}
