import { expect, it, vi } from 'vitest';
import type { DumpStrip } from '../../protocol/rows/dump-folds.ts';
import { type PaintOptions, paintRow } from '../../protocol/rows/painted-row.ts';
import { addDumpActions, dumpStripText } from './dump-strip.ts';
import { type NoticeIcons, RowElement } from './row-element.ts';

const strip: DumpStrip = { at: 5, from: 7, to: 71, state: 'receiving', lines: 64, bytes: 3_072, shown: false };
const options: PaintOptions = {};
const icons = Object.fromEntries(
  ['info', 'success', 'warning', 'error'].map((level) => [level, document.createElement('svg')]),
) as unknown as NoticeIcons;

function rowWith(dump: DumpStrip | null) {
  const bytes = new TextEncoder().encode('CORE DUMP START');
  const row = { sequence: 7, part: 0, port: 1, direction: 'received', level: null, at: 5, bytes } as const;
  const rest = { lineLength: 15, ending: new Uint8Array(), open: false };
  return { ...paintRow({ ...row, ...rest }, 'text', options), dump };
}

it('says how far a core dump has come, and how it ended', () => {
  expect(dumpStripText(strip)).toBe('Core dump · 64 lines · receiving…');
  expect(dumpStripText({ ...strip, state: 'whole', lines: 1_948, bytes: 89_088 })).toBe(
    'Core dump · 1\u2009948 lines · 87.0 KB',
  );
  expect(dumpStripText({ ...strip, state: 'unfinished' })).toBe('Core dump · 64 lines · 3.0 KB, unfinished');
});

it('keeps the focus on the button that shows and hides the lines, and acts on the row that it stands in', () => {
  const scroller = document.createElement('section');
  document.body.append(scroller);
  const element = new RowElement(icons);
  scroller.append(element.root);
  const onAct = vi.fn();
  const onReach = vi.fn();
  const { signal } = new AbortController();
  addDumpActions({ scroller, rowOf: () => element.row ?? undefined, onReach, onAct, signal });
  const button = (action: string) => scroller.querySelector<HTMLButtonElement>(`[data-dump-action="${action}"]`);

  element.show(rowWith(strip), '');
  expect(button('open')?.hidden).toBe(true);
  button('lines')?.focus();
  expect(onReach).toHaveBeenCalledOnce();
  button('lines')?.click();
  expect(onAct).toHaveBeenCalledWith('lines', expect.objectContaining({ sequence: 7 }));

  element.show(rowWith({ ...strip, state: 'whole', shown: true }), '');
  expect(button('open')?.hidden).toBe(false);
  expect(document.activeElement).toBe(button('lines'));
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Hide lines of the core dump');
  expect(element.root.dataset['dump']).toBe('shown');

  element.show(rowWith(null), '');
  expect(button('lines')).toBeNull();
  expect(element.root.dataset['dump']).toBeUndefined();
  scroller.remove();
});
