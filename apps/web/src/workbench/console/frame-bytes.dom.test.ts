import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PaintedRow } from '../../protocol/rows/painted-row.ts';
import { addByteSelecting, type DescribedFrame } from './frame-bytes.ts';
import { FrameDetailElement, laterByteSelecting } from './frame-detail.ts';

const detail = {
  title: 'Answer',
  facts: '5 bytes',
  boxes: [
    { bytes: '07', row: 0, name: 'unit' },
    { bytes: '05 C8', row: 1, name: 'speed' },
    { bytes: 'B2 CE', row: null, name: '' },
  ],
  rows: [
    { name: 'unit', place: '', bytes: '07', raw: '', value: '7', how: '', series: null },
    { name: 'speed', place: '', bytes: '05 C8', raw: '', value: '1480', how: '', series: '07 speed' },
  ],
};

/** An opened frame in a log, whose bytes cannot be selected yet. */
function showFrame() {
  const scroller = document.createElement('section');
  const element = new FrameDetailElement();
  element.show(detail, 1);
  scroller.append(element.root);
  document.body.append(scroller);
  const described: DescribedFrame[] = [];
  const ending = new AbortController();
  const row = { port: 2, at: 1_000, frame: { who: '', aside: '', state: 'right', detail } } as unknown as PaintedRow;
  const parts = {
    scroller,
    rowOf: () => row,
    onDescribe: (frame: DescribedFrame) => void described.push(frame),
    onPlot: vi.fn(),
    signal: ending.signal,
  };
  const [unit, speed, rest] = scroller.querySelectorAll<HTMLElement>('[data-from]');
  return { scroller, described, parts, end: () => ending.abort(), unit, speed, rest };
}

function openFrame() {
  const shown = showFrame();
  addByteSelecting(shown.parts);
  return shown;
}

const bytes = Uint8Array.of(0x07, 0x05, 0xc8, 0xb2, 0xce);
const mouse = (type: string, target: EventTarget | undefined) =>
  target?.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, button: 0 }));

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('an opened frame', () => {
  it('has a button for the curve of each measured number', () => {
    const { scroller, parts, described, end } = openFrame();
    const buttons = scroller.querySelectorAll<HTMLElement>('[data-plot-field]');
    expect([...buttons].map((button) => button.getAttribute('aria-label'))).toEqual(['Plot speed']);
    mouse('click', buttons[0]);
    expect(parts.onPlot).toHaveBeenCalledExactlyOnceWith({ port: 2, name: '07 speed' });
    expect(described).toEqual([]);
    end();
  });

  it('copies its bytes as hex digits', async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    const { scroller, end } = openFrame();
    mouse('click', scroller.querySelector('[data-copy-frame]') ?? undefined);
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledExactlyOnceWith('07 05 C8 B2 CE'));
    end();
  });
});

describe('bytes of an opened frame', () => {
  it('are those of the field whose box is pressed', () => {
    const { described, speed, end } = openFrame();
    mouse('click', speed);
    expect(described).toEqual([{ port: 2, at: 1_000, bytes, selected: { from: 1, to: 3 } }]);
    end();
    mouse('click', speed);
    expect(described).toHaveLength(1);
  });

  it('begin empty with the button, which the keyboard reaches', () => {
    const { described, scroller } = openFrame();
    const button = scroller.querySelector<HTMLButtonElement>('[data-describe-frame]');
    expect(button?.textContent).toBe('Registers and bytes');
    button?.click();
    expect(described).toEqual([{ port: 2, at: 1_000, bytes, selected: null }]);
  });

  it('are marked while a drag goes over them, in both directions, and the log selects no rows', () => {
    const { described, scroller, unit, speed, rest } = openFrame();
    const selectsRows = vi.fn();
    scroller.addEventListener('mousedown', selectsRows);
    let under = rest;
    document.elementFromPoint = () => under ?? null;
    mouse('mousedown', rest);
    under = speed;
    mouse('mousemove', window);
    expect(speed?.hasAttribute('data-marked') && rest?.hasAttribute('data-marked')).toBe(true);
    expect(unit?.hasAttribute('data-marked')).toBe(false);
    mouse('mouseup', window);
    mouse('click', scroller);
    expect(described.map(({ selected }) => selected)).toEqual([{ from: 1, to: 4 }]);
    expect(speed?.hasAttribute('data-marked')).toBe(false);
    expect(selectsRows).not.toHaveBeenCalled();
  });

  it('are named by a press that came before the code: the last one, once', async () => {
    const { described, parts, scroller, speed } = showFrame();
    const load = vi.fn(async () => await import('./frame-bytes.ts'));
    const select = laterByteSelecting(parts, load);
    select();
    select();
    speed?.click();
    scroller.querySelector<HTMLButtonElement>('[data-describe-frame]')?.click();
    expect(described).toEqual([]);
    await vi.waitFor(() => expect(described).toEqual([{ port: 2, at: 1_000, bytes, selected: null }]));
    speed?.click();
    expect(described.slice(1)).toEqual([{ port: 2, at: 1_000, bytes, selected: { from: 1, to: 3 } }]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('are not named after a press on something else, and a later frame asks again for code that did not come', async () => {
    const { described, parts, scroller, speed } = showFrame();
    const load = vi.fn(async () => await import('./frame-bytes.ts')).mockRejectedValueOnce(new Error('offline'));
    const select = laterByteSelecting(parts, load);
    select();
    speed?.click();
    await expect(load.mock.results[0]?.value).rejects.toThrow('offline');
    select();
    speed?.click();
    scroller.querySelector<HTMLButtonElement>('[data-close-frame]')?.click();
    await load.mock.results[1]?.value;
    scroller.querySelector<HTMLButtonElement>('[data-describe-frame]')?.click();
    expect(described.map(({ selected }) => selected)).toEqual([null]);
  });
});
