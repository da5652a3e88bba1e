/** A curve of the pace as the drawing needs it: points from left to right, in a box of `width` by `height`. */
export interface PaceShape {
  readonly line: string;
  readonly area: string;
  /** The height of the limit; null without one. */
  readonly limitY: number | null;
  readonly highest: number;
}

/** The curve, scaled so that the limit and the highest value are inside the box. */
export function paceShape(
  rates: readonly number[],
  limit: number | null,
  box: { readonly width: number; readonly height: number },
): PaceShape | null {
  const highest = Math.max(...rates, 0);
  const top = Math.max(highest, limit ?? 0);
  if (rates.length < 2 || top <= 0) return null;
  const yOf = (rate: number) => round(box.height - (rate / (top * 1.08)) * box.height);
  const points = rates.map((rate, index) => [round((index / (rates.length - 1)) * box.width), yOf(rate)]);
  const line = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return {
    line,
    area: `${line}V${box.height}H0Z`,
    limitY: limit === null ? null : yOf(limit),
    highest,
  };
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
