import { useEffect, useRef } from 'react';

const actions = ['click', 'input', 'drop'] as const;

/**
 * Calls `onAction` before the page handles the next click, input or drop anywhere. For what is wrong with an action before: it is said
 * until the person does something else.
 *
 * @param waits True while there is something to clear.
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
    for (const action of actions) {
      document.addEventListener(action, act, true);
    }
    return () => {
      for (const action of actions) {
        document.removeEventListener(action, act, true);
      }
    };
  }, [waits]);
}
