/** Gives Escape to a popup that has just opened. Not part of the entries: only loaded popups use it. */
import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `onEscape` for Escape on the element that has opened a popup. Until the popup has taken the focus, the key would
 * close what is around that element: the tool, the drawer or the form.
 */
export function useEscapeAt(opener: () => HTMLElement | null, open: boolean, onEscape: () => void): void {
  const openerNow = useEffectEvent(opener);
  const escaped = useEffectEvent(onEscape);
  useEffect(() => {
    const element = open ? openerNow() : null;
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        escaped();
      }
    };
    element?.addEventListener('keydown', pressed);
    return () => element?.removeEventListener('keydown', pressed);
  }, [open]);
}
