import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TextSelecting } from './text-selecting.ts';

describe('selecting text in the rows', () => {
  let layer: HTMLElement;
  let ending: AbortController;
  let reported: string[];
  let selecting: TextSelecting;
  const press = (init: PointerEventInit) =>
    layer.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, ...init }));
  const release = (type: string) => window.dispatchEvent(new Event(type));

  beforeEach(() => {
    layer = document.createElement('div');
    layer.textContent = 'boot: ESP-IDF v5.4';
    document.body.append(layer);
    ending = new AbortController();
    reported = [];
    const note = (what: string) => () => reported.push(`${what}, ${selecting.pressed ? 'pressed' : 'released'}`);
    selecting = new TextSelecting(layer, note('looked'), note('released'), ending.signal);
  });

  afterEach(() => {
    ending.abort();
    layer.remove();
  });

  it.each(['pointerup', 'pointercancel', 'contextmenu', 'blur'])('holds from the press until %s', (type) => {
    press({ pointerType: 'mouse', button: 0 });
    expect(selecting.pressed).toBe(true);
    release(type);
    expect(selecting.pressed).toBe(false);
  });

  it('looks what is selected before it lets go, and says that once', () => {
    press({ pointerType: 'mouse', button: 0 });
    release('pointerup');
    release('pointerup');
    expect(reported).toEqual(['looked, pressed', 'released, released']);
  });

  it.each([
    { pointerType: 'touch', button: 0 },
    { pointerType: 'mouse', button: 2 },
  ])('holds nothing for $pointerType with button $button', (init) => {
    press(init);
    expect(selecting.pressed).toBe(false);
  });

  it('knows what is selected in the rows only', () => {
    document.getSelection()?.selectAllChildren(layer);
    expect(selecting.selection?.toString()).toBe('boot: ESP-IDF v5.4');
    document.getSelection()?.selectAllChildren(document.head);
    expect(selecting.selection).toBeNull();
  });

  it('hears nothing any more once it has ended', () => {
    ending.abort();
    press({ pointerType: 'mouse', button: 0 });
    expect(selecting.pressed).toBe(false);
  });
});
