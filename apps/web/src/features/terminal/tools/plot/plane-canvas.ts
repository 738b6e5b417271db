/** Draws the scales that looks at the plot share: round numbers below, the ends of a lane's scale at its left. */
import { axisHeight } from './plane-loop.ts';
import { numberTicks, scaleText } from './ticks.ts';

/** Distance of two numbers below a plane, in px. */
const tickDistance = 90;

export interface PlaneCanvas {
  readonly context: CanvasRenderingContext2D;
  readonly scale: number;
  /** Size of the lanes, in pixels of the canvas. */
  readonly width: number;
  readonly height: number;
  readonly colour: (name: string) => string;
}

/** Empties a canvas for its present size; null without a context. */
export function planeCanvas(canvas: HTMLCanvasElement): PlaneCanvas | null {
  const context = canvas.getContext('2d');
  if (context === null) {
    return null;
  }
  const scale = window.devicePixelRatio;
  canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
  const style = getComputedStyle(canvas);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  context.font = `${11 * scale}px ${colour('--font-mono')}`;
  context.textBaseline = 'middle';
  return { context, scale, width: canvas.width, height: canvas.height - axisHeight * scale, colour };
}

/** Draws the numbers below, with lines up. @param unit Behind each number. */
export function drawGrid(
  { context, scale, width, height, colour }: PlaneCanvas,
  low: number,
  high: number,
  unit: string,
): void {
  const { step, values } = numberTicks(low, high, width / scale / tickDistance);
  context.textAlign = 'center';
  for (const value of values) {
    const x = Math.round(((value - low) / (high - low)) * (width - 1));
    context.fillStyle = colour('--color-grid-strong');
    context.fillRect(x, 0, Math.max(1, Math.round(scale)), height);
    const text = `${scaleText(value, step * 100)}${unit}`;
    const half = (text.length * 6.6 * scale) / 2;
    context.fillStyle = colour('--color-text-subtle');
    if (x >= half && x <= width - half) {
      context.fillText(text, x, height + (axisHeight * scale) / 2);
    }
  }
}

/** Writes the ends of a lane's scale. @param low Null: the lower end is left out. */
export function drawEnds(
  { context, scale, colour }: PlaneCanvas,
  { low, high }: { readonly low: string | null; readonly high: string },
  top: number,
  tall: number,
): void {
  context.textAlign = 'left';
  const write = (text: string, y: number) => {
    context.fillStyle = colour('--color-well');
    context.fillRect(4 * scale, y - 7 * scale, text.length * 6.7 * scale + 4 * scale, 14 * scale);
    context.fillStyle = colour('--color-text-subtle');
    context.fillText(text, 6 * scale, y);
  };
  write(high, top + 10 * scale);
  if (low !== null) {
    write(low, top + tall - 11 * scale);
  }
}

/** Draws the line below a lane. */
export function drawEdge({ context, width, colour }: PlaneCanvas, bottom: number): void {
  context.fillStyle = colour('--color-border');
  context.fillRect(0, Math.round(bottom) - 1, width, 1);
}
