import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the focus in the list when the focused row is removed. Focuses the row at its index, else a later one, else
 * an earlier one.
 *
 * @param row The row's `data-row` button.
 * @param asks True: the focus is in a dialog opened by the row.
 */
export function useNextRowFocus(row: RefObject<HTMLElement | null>, asks: boolean): void {
  const asking = useRef(asks);
  useLayoutEffect(() => {
    asking.current = asks;
  }, [asks]);
  useLayoutEffect(() => {
    const item = row.current?.closest('li');
    const list = item?.parentElement;
    return () => {
      if (item && list && (asking.current || item.contains(document.activeElement))) {
        const place = [...list.children].indexOf(item);
        // Deferred, because other rows change in the same commit: a freed slot gets its button.
        queueMicrotask(() => nextRowAt(list, place)?.focus());
      }
    };
  }, [row]);
}

function nextRowAt(list: Element, place: number): HTMLElement | null {
  const rows = [...list.children];
  const candidates = [...rows.slice(place), ...rows.slice(0, place).reverse()];
  return (
    candidates.map((row) => row.querySelector<HTMLElement>('[data-row]')).find((button) => button !== null) ?? null
  );
}
