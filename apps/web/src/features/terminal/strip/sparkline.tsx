/** Curve of the bytes that a port received in the last minute. Counting starts with the first tick. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useEffect, useRef } from 'react';
import { watchSize, watchTheme } from '../../../shared/ui/watch-look.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import styles from './port-tab.module.css';

/** Time between two pictures, in milliseconds. */
const interval = 500;

/** Counts the bytes that a port received in each of the last 20 bins of 3 s, which is one minute. */

/** Length of a bin, in milliseconds. */
export const binTime = 3_000;
export const binCount = 20;

export class ActivityBins {
  readonly #bins = new Float64Array(binCount);
  /** Number of the newest bin, counted from the Unix epoch. */
  #newest = 0;
  /** Last value of the port's counter. */
  #counted = 0;

  /**
   * Adds the bytes received since the last call to the current bin.
   *
   * @param received Bytes received since the port was opened. Restarts at 0 when the port is reopened.
   * @param now Milliseconds since the Unix epoch.
   */
  count(received: number, now: number): void {
    const fresh = received >= this.#counted ? received - this.#counted : received;
    this.#counted = received;
    this.#moveTo(now);
    const at = this.#newest % binCount;
    this.#bins[at] = (this.#bins[at] ?? 0) + fresh;
  }

  /** Returns the bytes in each bin, oldest first. The last bin is still filling. */
  read(now: number): Float64Array {
    this.#moveTo(now);
    return Float64Array.from({ length: binCount }, (_, age) => this.#bins[(this.#newest + 1 + age) % binCount] ?? 0);
  }

  #moveTo(now: number): void {
    const bin = Math.floor(now / binTime);
    for (let empty = Math.max(this.#newest + 1, bin - binCount + 1); empty <= bin; empty++) {
      this.#bins[empty % binCount] = 0;
    }
    this.#newest = Math.max(this.#newest, bin);
  }
}

const bins: Readonly<Record<PortNumber, ActivityBins>> = {
  1: new ActivityBins(),
  2: new ActivityBins(),
  3: new ActivityBins(),
  4: new ActivityBins(),
};

benchStatus.onTick(({ status }) => {
  const now = Date.now();
  for (const port of portNumbers) {
    bins[port].count(status.ports[port].received, now);
  }
});

export function Sparkline({ port }: { readonly port: PortNumber }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    if (current === null) {
      return;
    }
    let look = readLook(current);
    const draw = () => drawBars(current, look, bins[port].read(Date.now()));
    const changed = () => {
      look = readLook(current);
      draw();
    };
    const endings = [watchSize(current, changed), watchTheme(changed)];
    // Aligned to the interval, so that all curves are drawn in the same frame.
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      draw();
      timer = setTimeout(next, interval - (Date.now() % interval));
    };
    next();
    return () => {
      clearTimeout(timer);
      for (const end of endings) {
        end();
      }
    };
  }, [port]);
  return <canvas ref={canvas} className={styles['sparkline']} />;
}

/** Size of the canvas and colour of the bars. Read only on change, because reading them forces a layout. */
interface Look {
  readonly width: number;
  readonly height: number;
  readonly colour: string;
}

function readLook(canvas: HTMLCanvasElement): Look {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.scale(scale, scale);
  return { width, height, colour: getComputedStyle(canvas).color };
}

/** Draws a bar for each bin, the oldest first. The largest one reaches nearly to the upper edge. */
function drawBars(canvas: HTMLCanvasElement, { width, height, colour }: Look, bytes: Readonly<Float64Array>): void {
  const context = canvas.getContext('2d');
  if (context === null || width === 0) {
    return;
  }
  context.clearRect(0, 0, width, height);
  context.fillStyle = colour;
  const most = Math.max(1, ...bytes);
  const step = width / bytes.length;
  for (const [index, amount] of bytes.entries()) {
    if (amount > 0) {
      const bar = Math.max(2, (amount / most) * (height - 4));
      context.fillRect(index * step, height - bar, Math.max(1, step - 1), bar);
    }
  }
}
