import { afterEach, describe, expect, it, vi } from 'vitest';
import { FloodCanvas, isDrawable, type RowLook, withoutTabs } from './flood-canvas.ts';
import type { PaintedRow } from './painted-row.ts';
import { attributes } from './styled-text.ts';

const row = (part: Partial<PaintedRow> = {}): PaintedRow => ({
  sequence: 1,
  part: 0,
  at: 0,
  port: 1,
  direction: 'received',
  level: null,
  open: false,
  lineLength: 4,
  text: 'temp',
  runs: [],
  offset: null,
  characters: null,
  characterRuns: [],
  cut: false,
  ending: '',
  ...part,
});

const red = 1;

describe('which rows are drawn', () => {
  it('plain and coloured lines that were received are', () => {
    expect(isDrawable([row(), row({ runs: [{ start: 0, end: 2, style: red | attributes.bold }] })])).toBe(true);
  });

  it.each([
    ['what was sent', { direction: 'sent' }],
    ['a notice', { direction: 'notice', level: 'error' }],
    ['a crash', { crash: 'fault' }],
    ['the hex layout', { offset: '0000' }],
    ['a line that goes on', { part: 1 }],
    ['a line that is cut', { cut: true }],
    ['what is looked for', { runs: [{ start: 0, end: 2, style: attributes.found }] }],
    ['inverse text', { runs: [{ start: 0, end: 2, style: attributes.inverse }] }],
  ] as const)('%s stays an element', (_name, part) => {
    expect(isDrawable([row(), row(part as Partial<PaintedRow>)])).toBe(false);
  });
});

describe('tabs', () => {
  it('reach to the next stop, and stretches move along', () => {
    const runs = [{ start: 2, end: 4, style: red }];
    expect(withoutTabs('a\tbc', runs)).toEqual({ text: 'a       bc', runs: [{ start: 8, end: 10, style: red }] });
    expect(withoutTabs('abcdefgh\ti', [])).toEqual({ text: 'abcdefgh        i', runs: [] });
  });
});

describe('a drawn flood', () => {
  afterEach(() => vi.restoreAllMocks());

  const cell = (left: number) => ({ left, width: 20, font: '12px mono', colour: 'ink', shown: true });
  const look: RowLook = {
    time: cell(12),
    port: { ...cell(103), font: '700 12px mono' },
    mark: cell(124),
    content: cell(144),
    rightTimes: false,
    portColours: new Map([[1, 'blue']]),
    ink: (style) => `style ${style}`,
  };
  const size = { ground: 'black', width: 400, height: 40, rowHeight: 20, within: 5 };

  /** What is written, in order: the text, its place and its look. */
  function pen() {
    const written: unknown[] = [];
    const context = {
      font: '',
      fillStyle: '',
      textAlign: 'left',
      setTransform: () => undefined,
      fillRect: () => undefined,
      // Every letter is 10 px wide, 9 px above its line and 3 px below.
      measureText: (text: string) => ({
        width: text.length * 10,
        fontBoundingBoxAscent: 9,
        fontBoundingBoxDescent: 3,
      }),
      fillText: (text: string, x: number, y: number) => written.push([text, x, y, context.font, context.fillStyle]),
    };
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(
      context as unknown as CanvasRenderingContext2D & RenderingContext,
    );
    return written;
  }

  it('has time, port, direction and text where elements have them', () => {
    const written = pen();
    const canvas = new FloodCanvas();
    expect(canvas.draw([row()], ['12:00:00.000'], size, () => look)).toBe(true);
    expect(canvas.shown).toBe(true);
    // The line box of 20 px begins 5 px above the edge: (20 - 12) / 2 + 9 - 5.
    expect(written).toEqual([
      ['12:00:00.000', 12, 8, '12px mono', 'ink'],
      ['1', 113, 8, '700 12px mono', 'blue'],
      ['←', 124, 8, '12px mono', 'ink'],
      ['temp', 144, 8, '12px mono', 'ink'],
    ]);
  });

  it('has each stretch in its colour, one after the other', () => {
    const written = pen();
    const runs = [{ start: 5, end: 7, style: red | attributes.bold }];
    new FloodCanvas().draw([row({ text: 'temp 21 C', runs })], [''], size, () => look);
    expect(written.slice(-3)).toEqual([
      ['temp ', 144, 8, '12px mono', 'ink'],
      ['21', 194, 8, '600 12px mono', `style ${red | attributes.bold}`],
      [' C', 214, 8, '12px mono', 'ink'],
    ]);
  });

  it('reads how rows look anew each time it comes up, and not in between', () => {
    pen();
    const canvas = new FloodCanvas();
    const lookNow = vi.fn(() => look);
    canvas.draw([row()], [''], size, lookNow);
    canvas.draw([row()], [''], size, lookNow);
    expect(lookNow).toHaveBeenCalledOnce();
    canvas.hide();
    canvas.draw([row()], [''], size, lookNow);
    expect(lookNow).toHaveBeenCalledTimes(2);
  });

  it('leaves the rows to their elements where the browser has no canvas', () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    const canvas = new FloodCanvas();
    expect(canvas.draw([row()], [''], size, () => look)).toBe(false);
    expect(canvas.shown).toBe(false);
  });
});
