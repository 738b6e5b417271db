/** The plot of the terminal: numbers that a board prints, as curves. */
import { Drawing } from './drawing.tsx';
import styles from './plot-drawing.module.css';

const WIDTH = 320;
const HEIGHT = 120;
const POINTS = 64;

/** Length of the drawing, and settling time of a sensor, in seconds. */
const SHOWN = 60;
const SETTLING = 14;

/** Simulates a sensor that a hand warms for half of the time: towards `high`, then back. */
function reading(second: number, low: number, high: number): number {
  const half = SHOWN / 2;
  const risen = (time: number) => 1 - Math.exp(-time / SETTLING);
  const part = second < half ? risen(second) : risen(half) * (1 - risen(second - half));
  return low + (high - low) * part;
}

const curves = [
  { name: 'temperature', last: '23.04', colour: 1, low: 22.4, high: 31, floor: 20, ceiling: 30 },
  { name: 'humidity', last: '43.10', colour: 2, low: 41.8, high: 60, floor: 30, ceiling: 62 },
] as const;

function pathOf({ low, high, floor, ceiling }: (typeof curves)[number]): string {
  const points = Array.from({ length: POINTS }, (_, index) => {
    const share = index / (POINTS - 1);
    const y = HEIGHT - ((reading(share * SHOWN, low, high) - floor) / (ceiling - floor)) * HEIGHT;
    return `${(share * WIDTH).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

const grid = [
  ...[1, 2, 3].map((row) => `M0 ${(row * HEIGHT) / 4}H${WIDTH}`),
  ...[1, 2, 3, 4, 5].map((column) => `M${(column * WIDTH) / 6} 0V${HEIGHT}`),
].join('');

export function PlotDrawing() {
  return (
    <Drawing label="Two curves, temperature and humidity, that rise while a hand warms the sensor and fall again">
      <svg
        className={styles['chart']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        aria-hidden="true"
      >
        <path d={grid} className={styles['grid']} />
        {curves.map((curve) => (
          <path key={curve.name} d={pathOf(curve)} className={styles['curve']} data-port-colour={curve.colour} />
        ))}
      </svg>
      <ul className={styles['legend']}>
        {curves.map(({ name, last, colour }) => (
          <li key={name} data-port-colour={colour}>
            <i />
            {name} <b>{last}</b>
          </li>
        ))}
      </ul>
    </Drawing>
  );
}
