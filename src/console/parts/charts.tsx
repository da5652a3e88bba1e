import { figure, share } from '../../output/components/numbers.ts';
import type { Tone } from '../../output/components/tone.ts';
import { type CurveBox, type CurvePoint, type CurveValues, curvePoints, curveText } from './curve.ts';
import { Segments } from './segments.tsx';

/** The line of a curve and the area below it, in an SVG of the size of its box. */
export function CurveLine({ values, box }: { readonly values: CurveValues; readonly box: CurveBox }) {
  const stretches: CurvePoint[][] = [[]];
  for (const point of curvePoints(values, box))
    if (point === null) stretches.push([]);
    else stretches.at(-1)?.push(point);
  return (
    <>
      {stretches.map((points) => {
        const [first, last] = [points[0], points.at(-1)];
        if (first === undefined || last === undefined) return null;
        const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
        return (
          <g key={first[0]}>
            <polygon
              class="curve-area"
              points={`${first[0]},${box.height} ${line} ${last[0]},${box.height}`}
            />
            <polyline class="curve-line" points={`${line} ${last[0]},${last[1]}`} />
          </g>
        );
      })}
    </>
  );
}

interface SparklineProps {
  readonly values: CurveValues;
  /** What the curve shows, for screen readers: `Drifted accounts, last 7 days`. */
  readonly label: string;
}

const sparkBox = { width: 160, height: 32 };

/** A small curve. Its name says the first, highest and last value. */
export function Sparkline({ values, label }: SparklineProps) {
  return (
    <svg class="sparkline" {...sparkBox} role="img">
      <title>{`${label}: ${curveText(values)}`}</title>
      <CurveLine values={values} box={sparkBox} />
    </svg>
  );
}

interface BarProps {
  readonly part: number;
  readonly whole: number;
  readonly label: string;
  readonly tone?: Tone;
}

/** A part of a whole, as a bar with its numbers in words. */
export function Bar({ part, whole, label, tone = 'blue' }: BarProps) {
  return (
    <span class="bar">
      <Segments label={label} whole={whole} segments={[{ word: `of ${figure(whole)}`, size: part, tone }]} />
      <span class="bar-text">
        {figure(part)} of {figure(whole)} <span class="dim">({share(part, whole)})</span>
      </span>
    </span>
  );
}
