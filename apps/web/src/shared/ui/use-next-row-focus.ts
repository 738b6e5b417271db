import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Moves the focus when a row of a list or a table is removed while the focus is in it. The row that takes its place
 * gets the focus, else the next one, else the one before.
 *
 * @param row The row's `data-row` control, which gets the focus.
 * @param asks True: the focus is in a dialog that the row has opened.
 */
export function useNextRowFocus(row: RefObject<HTMLElement | null>, asks = false): void {
  const asking = useRef(asks);
  useLayoutEffect(() => {
    asking.current = asks;
  }, [asks]);
  useLayoutEffect(() => {
    const item = row.current?.closest('li, tr');
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
