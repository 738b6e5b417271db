import { useEffect, useRef } from 'react';

const actions = ['click', 'input', 'drop'] as const;

/**
 * Calls `onAction` with the next click, input or drop anywhere: before the page handles a click or a drop, and after
 * it has handled an input. Clears the fault of the previous action.
 *
 * @param waits True: there is a fault to clear.
 */
export function useNextAction(waits: boolean, onAction: () => void): void {
  const latest = useRef(onAction);
  useEffect(() => {
    latest.current = onAction;
  });
  useEffect(() => {
    if (!waits) {
      return;
    }
    const act = () => latest.current();
    // A render before React has handled the input would restore the field's previous text.
    for (const action of actions) {
      window.addEventListener(action, act, action !== 'input');
    }
    return () => {
      for (const action of actions) {
        window.removeEventListener(action, act, action !== 'input');
      }
    };
  }, [waits]);
}
