import { type RefObject, useEffect, useRef } from 'react';

/** When a panel goes and the focus with it, the first of the others gets it, or the button that adds one. @param count of panels */
export function usePanelHeir(pane: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) {
      const toggle = pane.current?.querySelector<HTMLElement>('h3 button');
      (toggle ?? pane.current?.querySelector<HTMLElement>('header button'))?.focus();
    }
    before.current = count;
  }, [pane, count]);
}
