import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * When a row goes while the focus is in it, what is in its place then takes the focus, else the next one, else the one before.
 * @param row the row's `data-row` button; @param asks the focus is in a dialog that the row has opened
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
        // The others change in the same moment: a slot that becomes free gets its button.
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
