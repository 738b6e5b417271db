/** Elements in which shortcuts of one letter must not act, because the user types there. */
const takingLetters = 'textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** Returns true if the element uses typed letters. Radio buttons and switches do not. */
export function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type !== 'radio' && target.type !== 'checkbox';
  }
  return target instanceof Element && target.closest(takingLetters) !== null;
}
