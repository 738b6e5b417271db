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
    // An input is handled after the page: a render in between would put the field's previous text back.
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
