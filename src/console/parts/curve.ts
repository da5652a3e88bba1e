import { figure } from '../../output/components/numbers.ts';

/** The values of a curve, oldest first. Null: nobody knows, so the curve has a gap. */
export type CurveValues = readonly (number | null)[];

export interface CurveBox {
  readonly width: number;
  readonly height: number;
  /** Drawn inside the box too, such as a limit. */
  readonly highest?: number;
}

/** A point in a box, from its upper left corner. */
export type CurvePoint = readonly [x: number, y: number];

/** Room for the width of the line. */
const margin = 3;

/** The position of each value in a box, with 0 at the bottom. */
export function curvePoints(
  values: CurveValues,
  { width, height, highest = 0 }: CurveBox,
): readonly (CurvePoint | null)[] {
  const top = values.reduce<number>((most, value) => Math.max(most, value ?? 0), highest) || 1;
  const step = (width - 2 * margin) / Math.max(1, values.length - 1);
  return values.map((value, index) =>
    value === null ? null : [margin + index * step, height - margin - (value / top) * (height - 2 * margin)],
  );
}

/** The position of the highest value, the latest one of several; -1 if nothing is known, or if all values are 0. */
export function peakOf(values: CurveValues): number {
  const most = Math.max(...values.map((value) => value ?? 0));
  return most > 0 ? values.lastIndexOf(most) : -1;
}

/** `from 3, at most 41, now 12`. */
export function curveText(values: CurveValues): string {
  const known = values.filter((value) => value !== null);
  const [first] = known;
  if (first === undefined) return 'not known';
  const now = values.at(-1) ?? null;
  return `from ${figure(first)}, at most ${figure(Math.max(...known))}, now ${now === null ? 'not known' : figure(now)}`;
}
