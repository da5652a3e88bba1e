import { figure, share } from '../../output/components/numbers.ts';

interface SparklineProps {
  readonly values: readonly number[];
  /** What the curve shows, for screen readers: `Drifted accounts, last 7 days`. */
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
}

/** A small curve with its last value marked. Its name says the first, highest and last value. */
export function Sparkline({ values, label, width = 160, height = 32 }: SparklineProps) {
  if (values.length < 2) return null;
  const points = curvePoints(values, width, height, 3);
  const [x, y] = points.at(-1) ?? [0, 0];
  const line = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img">
      <title>{`${label}: ${curveText(values)}`}</title>
      <polygon class="curve-area" points={`${points[0]?.[0] ?? 0},${height} ${line} ${x},${height}`} />
      <polyline class="curve-line" points={line} />
      <circle class="curve-end" cx={x} cy={y} r="2.5" />
    </svg>
  );
}

/** `from 3, at most 41, now 12`. */
export function curveText(values: readonly number[]): string {
  const highest = values.reduce((most, value) => Math.max(most, value), 0);
  return `from ${figure(values[0] ?? 0)}, at most ${figure(highest)}, now ${figure(values.at(-1) ?? 0)}`;
}

/** Points of a curve in a box, with the lowest value 0 at its ground. */
export function curvePoints(
  values: readonly number[],
  width: number,
  height: number,
  margin: number,
): readonly (readonly [number, number])[] {
  const highest = Math.max(1, ...values);
  const step = (width - 2 * margin) / Math.max(1, values.length - 1);
  return values.map((value, index) => [
    margin + index * step,
    height - margin - (value / highest) * (height - 2 * margin),
  ]);
}

/** A part of a whole, as a bar with its numbers in words. */
export function Bar({
  part,
  whole,
  label,
  tone = 'blue',
}: {
  readonly part: number;
  readonly whole: number;
  readonly label: string;
  readonly tone?: 'blue' | 'green' | 'amber' | 'red' | 'violet' | 'dim';
}) {
  return (
    <span class="bar">
      <span class={`bar-track ${tone}`} role="img" aria-label={`${label}: ${share(part, whole)}`}>
        <span
          class="bar-fill"
          style={{ width: `${whole <= 0 ? 0 : Math.min(100, (100 * part) / whole)}%` }}
        />
      </span>
      <span class="bar-text">
        {figure(part)} of {figure(whole)} <span class="dim">({share(part, whole)})</span>
      </span>
    </span>
  );
}
