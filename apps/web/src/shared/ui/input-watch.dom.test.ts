import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchPressesAndKeys } from './input-watch.ts';

watchPressesAndKeys();

const row = document.createElement('div');
const first = document.createElement('button');
const second = document.createElement('button');
const clicked = { first: vi.fn(), second: vi.fn(), row: vi.fn() };

/** Places a button at `left`, 100 px wide. */
function place(button: HTMLElement, left: number): void {
  button.getBoundingClientRect = () => new DOMRect(left, 0, 100, 20);
}

function press(target: Element): void {
  target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, isPrimary: true }));
}

function click(target: Element, x: number): void {
  target.dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: 10 }),
  );
}

beforeEach(() => {
  row.append(first, second);
  document.body.append(row);
  place(first, 0);
  place(second, 100);
});

afterEach(() => {
  row.remove();
  for (const listener of Object.values(clicked)) {
    listener.mockClear();
  }
});

first.addEventListener('click', clicked.first);
second.addEventListener('click', clicked.second);
row.addEventListener('click', ({ target }) => (target === row ? clicked.row() : undefined));

describe('a press', () => {
  it('reaches the pressed button when the page moves it before the release', () => {
    press(first);
    place(first, 300);
    click(row, 50);
    expect(clicked.first).toHaveBeenCalledOnce();
    expect(clicked.second).not.toHaveBeenCalled();
    expect(clicked.row).not.toHaveBeenCalled();
  });

  it('counts once when nothing moves', () => {
    press(first);
    click(first, 50);
    expect(clicked.first).toHaveBeenCalledOnce();
  });

  it('is cancelled by a release at another place', () => {
    press(first);
    place(first, 300);
    click(row, 150);
    expect(clicked.first).not.toHaveBeenCalled();
    expect(clicked.row).toHaveBeenCalledOnce();
  });

  it('is cancelled by a drag from a button that has not moved', () => {
    press(first);
    click(row, 50);
    expect(clicked.first).not.toHaveBeenCalled();
  });

  it('does not outlive its button', () => {
    press(first);
    first.remove();
    click(row, 50);
    expect(clicked.first).not.toHaveBeenCalled();
  });

  it('is forgotten after a click of a key', () => {
    press(first);
    second.click();
    place(first, 300);
    click(row, 50);
    expect(clicked.first).not.toHaveBeenCalled();
    expect(clicked.second).toHaveBeenCalledOnce();
  });
});
