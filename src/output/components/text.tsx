import { printable } from '../../core/lib/printable.ts';
import { fileAndLine, type ShownPlace } from '../../core/problem/problem.ts';
import { cutName, hasEdges } from './names.ts';
import { figure } from './numbers.ts';

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
      {tail === '' ? (
        head
      ) : (
        <>
          <span class="name-head">{head}</span>
          <span class="name-tail">{tail}</span>
        </>
      )}
    </bdi>
  );
}

/** A name that leads to the page of what it names. */
export function NameLink({
  href,
  name,
  class: className,
}: {
  readonly href: string;
  readonly name: string | null;
  readonly class?: string;
}) {
  return (
    <a class={className} href={href}>
      <Name name={name} />
    </a>
  );
}

/** A sentence that people or the service wrote, on as many lines as it needs. */
export function Text({ text }: { readonly text: string }) {
  return <bdi class="text">{printable(text)}</bdi>;
}

/** An id: one click selects it whole. */
export function IdText({ id }: { readonly id: string }) {
  return <code class="id">{id}</code>;
}

/** A number in the reader's notation; a dash if it isn't known. */
export function Count({ value }: { readonly value: number | null }) {
  if (value === null) return <span class="dim">–</span>;
  return <span class={value === 0 ? 'count zero' : 'count'}>{figure(value)}</span>;
}

/** The location of something in the desired state. */
export function PlaceText({ place }: { readonly place: ShownPlace | null | undefined }) {
  return place === null || place === undefined ? null : (
    <code class="place">{printable(fileAndLine(place))}</code>
  );
}
