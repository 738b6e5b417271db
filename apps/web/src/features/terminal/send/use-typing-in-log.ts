import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus from the log to the send field when a person types a character there. The field receives that
 * character. Shortcuts stay with the log: Shift with a letter, `/`, `?`, and the space that scrolls.
 */
export function useTypingInLog(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !isTyped(key, event.shiftKey)) {
        return;
      }
      if (target instanceof Element && target.closest('[role="log"]') !== null && field.current?.readOnly === false) {
        field.current.focus();
      }
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [field]);
}

/** Dead keys and input methods name no character yet. The field receives what they compose. */
function isTyped(key: string, shift: boolean): boolean {
  if (key === 'Dead' || key === 'Process') {
    return true;
  }
  return [...key].length === 1 && !'/? '.includes(key) && !(shift && /\p{L}/u.test(key));
}
