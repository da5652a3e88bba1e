import { hasEdges } from '../name-text.ts';
import type { ShownName } from '../page-data.ts';
import { element } from './element.ts';

/** A cut name that can be unfolded. The twin of `nameHtml`. */
export function nameElement(name: ShownName): HTMLElement {
  if (name === null) return element('span', { class: 'none' }, '(no name)');
  if (name === '') return element('span', { class: 'none' }, '(empty name)');
  if (typeof name === 'string') return plainElement(name);
  const [short, full] = name;
  return element(
    'details',
    { class: 'long' },
    element('summary', {}, element('bdi', { class: 'name' }, short)),
    element('bdi', { class: 'name full', tabindex: '0' }, full),
  );
}

function plainElement(name: string): HTMLElement {
  return hasEdges(name)
    ? element('bdi', { class: 'name edges', title: 'starts or ends with white space' }, name)
    : element('bdi', { class: 'name' }, name);
}
