/** Elements in which a shortcut of one letter must not act, because the person types there. */
const takingLetters = 'textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** Letters typed there have a meaning of their own. A radio button or a switch takes none. */
export function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type !== 'radio' && target.type !== 'checkbox';
  }
  return target instanceof Element && target.closest(takingLetters) !== null;
}
