import { afterEach, describe, expect, it } from 'vitest';
import { markElements } from './has-selector.ts';

afterEach(() => {
  document.body.innerHTML = '';
});

const marked = () =>
  Object.fromEntries(
    Array.from(document.body.querySelectorAll<HTMLElement>('[id]'), ({ id, dataset }) => [id, dataset['has']]),
  );

describe('elements that have another one', () => {
  it('are marked with the numbers of what they have', () => {
    document.body.innerHTML =
      '<p id="a"><b id="b"><i id="i"></i></b><input type="checkbox" id="c" checked></p><p id="d"></p>';
    markElements(['i', ':checked', '> i']);
    expect(marked()).toEqual({ a: '0 1', b: '0 2', i: undefined, c: undefined, d: undefined });
  });

  it('lose their mark when they have it no more', () => {
    document.body.innerHTML = '<p id="a"><i></i></p>';
    markElements(['i']);
    expect(marked()).toEqual({ a: '0' });
    document.querySelector('i')?.remove();
    markElements(['i']);
    expect(marked()).toEqual({ a: undefined });
    expect(document.documentElement.dataset['has']).toBeUndefined();
  });
});
