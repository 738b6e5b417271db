import { expect, it, onTestFinished, vi } from 'vitest';
import { addKeySelecting } from './key-selecting.ts';
import { type LogPlace, LogSelection } from './log-selection.ts';
import type { SelectableView } from './selecting-parts.ts';

const at = (sequence: number, column = 0) => ({ sequence, part: 0, column });

it('copies all lines if the keys that select and copy follow each other at once', async () => {
  const scroller = document.createElement('div');
  const selection = new LogSelection();
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const asked = Promise.withResolvers<LogPlace | null>();
  const onCopy = vi.fn();
  addKeySelecting({
    scroller,
    view: {} as SelectableView,
    endOfLog: () => asked.promise,
    selection,
    onCopy,
    onSettle: () => undefined,
    onSay: () => undefined,
    onOpen: () => false,
    onChange: () => undefined,
    onClear: () => undefined,
    signal: ending.signal,
  });
  const press = (key: string) => {
    const event = new KeyboardEvent('keydown', { key, ctrlKey: true, cancelable: true });
    scroller.dispatchEvent(event);
    return event.defaultPrevented;
  };

  expect(press('c')).toBe(false);
  selection.select(at(4), at(4, 2), 'content');
  expect(press('a')).toBe(true);
  expect(press('c')).toBe(true);
  expect(onCopy).not.toHaveBeenCalled();
  asked.resolve(at(9, 5));
  await vi.waitFor(() => expect(onCopy).toHaveBeenCalledOnce());
  expect(onCopy).toHaveBeenCalledWith(selection.span);
  expect(selection.span).toMatchObject({ from: { sequence: 0 }, to: { sequence: 9 }, field: 'rows' });
});
