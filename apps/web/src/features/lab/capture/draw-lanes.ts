/** Draws lanes, decoded rows and the time axis on a canvas. */
import type { Captured, Lane } from './capture-store.ts';
import type { DecodedRow } from './decoding.ts';
import { graticule, type Span, timeText } from './time-axis.ts';

/** Heights in px. The labels beside the canvas have the same heights. */
export const heights = { lane: 42, row: 28, axis: 18 } as const;

/** Distance from the top of a lane to a high and to a low level, in px. */
const levels = { high: 10, low: 32 } as const;
/** Height of a box in a decoded row, and width of the narrowest box, in px. */
const box = { height: 20, narrow: 13 } as const;

export interface Picture {
  readonly captured: Captured;
  readonly rows: readonly DecodedRow[];
  readonly span: Span;
}

export function heightOf(lanes: number, rows: number): number {
  return lanes * heights.lane + rows * heights.row + heights.axis;
}

/** @param root Element whose style has the colours. */
export function drawLanes(canvas: HTMLCanvasElement, root: HTMLElement, { captured, rows, span }: Picture): void {
  const context = canvas.getContext('2d');
  const width = root.clientWidth;
  const height = heightOf(captured.lanes.length, rows.length);
  if (context === null || width === 0) {
    return;
  }
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(root);
  const paint: Paint = {
    context,
    width,
    span,
    colour: (name) => style.getPropertyValue(`--color-${name}`).trim(),
    x: (time) => ((time - span.from) / (span.to - span.from)) * width,
    font: `11px ${style.getPropertyValue('--font-mono')}`,
  };
  drawGraticule(paint, captured, height);
  for (const [index, lane] of captured.lanes.entries()) {
    drawLane(paint, lane, index * heights.lane);
  }
  for (const [index, row] of rows.entries()) {
    drawRow(paint, row, captured.lanes.length * heights.lane + index * heights.row);
  }
}

interface Paint {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly span: Span;
  readonly colour: (name: string) => string;
  readonly x: (time: number) => number;
  readonly font: string;
}

function drawGraticule({ context, width, span, colour, x, font }: Paint, captured: Captured, height: number): void {
  const { step, lines } = graticule(span, captured.zero, width);
  const bottom = height - heights.axis;
  context.lineWidth = 1;
  context.strokeStyle = colour('grid-strong');
  context.fillStyle = colour('text-subtle');
  context.font = font;
  context.textBaseline = 'middle';
  for (const time of lines) {
    const at = Math.round(x(time)) + 0.5;
    context.beginPath();
    context.moveTo(at, 0);
    context.lineTo(at, bottom);
    context.stroke();
    const text = timeText(time - captured.zero, step);
    const half = context.measureText(text).width / 2;
    if (at - half >= 0 && at + half <= width) {
      context.textAlign = 'center';
      context.fillText(text, at, bottom + heights.axis / 2);
    }
  }
  context.strokeStyle = colour('grid');
  for (let lane = 1; lane <= captured.lanes.length; lane++) {
    const at = lane * heights.lane - 0.5;
    context.beginPath();
    context.moveTo(0, at);
    context.lineTo(width, at);
    context.stroke();
  }
}

/** Draws one lane. Edges in the same column of pixels become one vertical stroke. */
function drawLane({ context, width, span, colour, x }: Paint, { wave, port }: Lane, top: number): void {
  const { edges } = wave;
  const first = edges.findIndex((edge) => edge > span.from);
  const begin = first < 0 ? edges.length : first;
  let isHigh = wave.isHighAtFirst === (begin % 2 === 0);
  const y = (high: boolean) => top + (high ? levels.high : levels.low);
  context.strokeStyle = colour(port === undefined ? 'text' : `port-${port}`);
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(0, y(isHigh));
  let column = Number.NaN;
  for (let index = begin; index < edges.length; index++) {
    const edge = edges[index] ?? 0;
    if (edge >= span.to) {
      break;
    }
    const at = Math.round(x(edge)) + 0.5;
    if (at !== column) {
      column = at;
      context.lineTo(at, y(isHigh));
      context.lineTo(at, y(!isHigh));
    } else {
      context.moveTo(at, y(!isHigh));
    }
    isHigh = !isHigh;
  }
  const end = Math.min(width, x(wave.end));
  context.lineTo(end, y(isHigh));
  context.stroke();
}

function drawRow(paint: Paint, { boxes, port }: DecodedRow, top: number): void {
  const { context, width, span, colour, x, font } = paint;
  const colours = {
    address: { fill: colour(`port-${port}-soft`), line: colour(`port-${port}`), text: colour(`port-${port}`) },
    written: { fill: colour('hover'), line: colour('border-control'), text: colour('text') },
    read: { fill: colour('success-soft'), line: colour('success'), text: colour('success') },
    mark: { fill: colour('well'), line: colour('border-control'), text: colour('text-muted') },
    fault: { fill: colour('warning-soft'), line: colour('warning'), text: colour('warning') },
  };
  context.font = font;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 1;
  const y = top + (heights.row - box.height) / 2 + 0.5;
  for (const { at, end, text, tone } of boxes) {
    if (end < span.from || at > span.to) {
      continue;
    }
    const isPoint = at === end;
    const left = Math.max(-2, isPoint ? x(at) - box.narrow / 2 : x(at));
    const right = Math.min(width + 2, isPoint ? x(at) + box.narrow / 2 : x(end));
    const room = right - left;
    context.fillStyle = colours[tone].fill;
    context.strokeStyle = colours[tone].line;
    context.fillRect(left, y, room, box.height);
    if (room >= 3) {
      context.strokeRect(Math.round(left) + 0.5, y, Math.max(1, Math.round(room) - 1), box.height);
    }
    if (text !== '' && context.measureText(text).width + 2 <= room) {
      context.fillStyle = colours[tone].text;
      context.fillText(text, (left + right) / 2, y + box.height / 2);
    }
  }
}
