/** Elements in which shortcuts of one letter must not act, because the user types there. */
const takingLetters = 'textarea, select, [contenteditable], [role="menu"], [role="dialog"]';

/** Returns true if the element uses typed letters. Radio buttons and switches do not. */
export function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) {
    return target.type !== 'radio' && target.type !== 'checkbox';
  }
  return target instanceof Element && target.closest(takingLetters) !== null;
}

/**
 * Writes to `data-keys` of the document where the keyboard is, so that hints of shortcuts are shown only where they work:
 * `log` in the log, `screen` in a Screen, `typing` in any other field, `free` elsewhere. Called once.
 */
export function watchKeys(): void {
  const { dataset } = document.documentElement;
  const look = ({ type, target, relatedTarget }: Pick<FocusEvent, 'type' | 'target' | 'relatedTarget'>) => {
    const place = type === 'focusout' ? relatedTarget : target;
    dataset['keys'] = placeOf(place);
  };
  window.addEventListener('focusin', look, true);
  window.addEventListener('focusout', look, true);
  dataset['keys'] = placeOf(document.activeElement);
}

function placeOf(target: EventTarget | null): 'log' | 'screen' | 'typing' | 'free' {
  if (target instanceof Element && target.closest('.xterm') !== null) {
    return 'screen';
  }
  if (takesLetters(target)) {
    return 'typing';
  }
  return target instanceof Element && target.closest('[role="log"]') !== null ? 'log' : 'free';
}
