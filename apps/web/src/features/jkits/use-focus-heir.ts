import { type RefObject, useLayoutEffect } from 'react';

/**
 * When a row goes while the focus is in it, what stands in its place then takes the focus, else the next one, else the one before.
 * @param row the row's `data-row` button
 */
export function useFocusHeir(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const item = row.current?.closest('li');
    const list = item?.parentElement;
    return () => {
      if (item && list && item.contains(document.activeElement)) {
        const place = [...list.children].indexOf(item);
        // The others change in the same moment: a slot that becomes free gets its button.
        queueMicrotask(() => heirAt(list, place)?.focus());
      }
    };
  }, [row]);
}

function heirAt(list: Element, place: number): HTMLElement | null {
  const rows = [...list.children];
  const heirs = [...rows.slice(place), ...rows.slice(0, place).reverse()];
  return heirs.map((row) => row.querySelector<HTMLElement>('[data-row]')).find((button) => button !== null) ?? null;
}
