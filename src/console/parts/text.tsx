import type { SourcePlace } from '../../api/resource.ts';
import { printable } from '../../core/lib/printable.ts';
import { now } from '../browser/clock.ts';
import { cutName, hasEdges } from '../words/names.ts';
import { figure } from '../words/numbers.ts';
import { placeText } from '../words/places.ts';
import { exactTime, relativeTime, sinceWords } from '../words/times.ts';

/** A relative time with the exact one on hover. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="dim">never</span>;
  return (
    <time dateTime={at} title={exactTime(at, {})}>
      {relativeTime(at, { now: now.value })}
    </time>
  );
}

/** How long something has been so, with the exact time of its start on hover. */
export function Since({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at, {})}>
      {sinceWords(at, { now: now.value })}
    </time>
  );
}

/** A name that people or the service chose. A long one is cut in the middle to fit; its title has all of it. */
export function Name({ name, isMono }: { readonly name: string | null; readonly isMono?: boolean }) {
  if (name === null) return <span class="dim">(no name)</span>;
  if (name === '') return <span class="dim">(empty name)</span>;
  const { head, tail, whole } = cutName(name);
  const edges = hasEdges(name);
  const title = edges ? `${whole} (starts or ends with white space)` : whole;
  const isCut = tail !== '' || edges;
  return (
    <bdi class={`name${edges ? ' edges' : ''}${isMono ? ' mono' : ''}`} title={isCut ? title : undefined}>
      <span class="name-head">{head}</span>
      {tail === '' ? null : <span class="name-tail">{tail}</span>}
    </bdi>
  );
}

/** A sentence that people or the service wrote, on as many lines as it needs. */
export function Text({ text }: { readonly text: string }) {
  return <bdi class="text">{printable(text)}</bdi>;
}

/** An id: one click selects it whole. */
export function Id({ id }: { readonly id: string }) {
  return <code class="id">{id}</code>;
}

/** A number in the reader's notation; a dash if it isn't known. */
export function Count({ value }: { readonly value: number | null }) {
  if (value === null) return <span class="dim">–</span>;
  return <span class={value === 0 ? 'count zero' : 'count'}>{figure(value)}</span>;
}

/** The location of something in the desired state. */
export function Place({ place }: { readonly place: SourcePlace | null | undefined }) {
  return place === null || place === undefined ? null : (
    <code class="place">{printable(placeText(place))}</code>
  );
}

/** The key to press, such as `g` or `Esc`. */
export function Key({ children }: { readonly children: string }) {
  return <kbd>{children}</kbd>;
}
