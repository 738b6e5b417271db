import { type RefObject, useLayoutEffect } from 'react';

/** When a row goes while the focus is in it, the next one takes the focus, or the one before. @param row the row's `data-row` button */
export function useFocusHeir(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const item = row.current?.closest('li');
    return () => {
      if (item?.contains(document.activeElement)) {
        const heirs = [item.nextElementSibling, item.previousElementSibling];
        const rows = heirs.map((heir) => heir?.querySelector<HTMLElement>('[data-row]'));
        rows.find((heir) => heir)?.focus();
      }
    };
  }, [row]);
}
