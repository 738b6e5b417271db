/** Watches the input of each document: presses whose control moves away, and where the keyboard is. */
import { takesLetters } from './takes-letters.ts';

const controls = 'button, a[href], summary, label, [role="tab"], [role="menuitem"], [role="option"], [role="treeitem"]';

interface Press {
  readonly control: HTMLElement;
  readonly box: DOMRect;
}

/** Starts watching the presses and the focus of the document. Called once. */
export function watchPressesAndKeys(): void {
  keepPresses();
  watchKeys();
}

/**
 * Gives a click to the control that was pressed, also when the page has moved it away before the release. A press takes
 * the focus from a field, and what follows, such as a strip that goes or a name that is saved, may move the controls.
 * Browsers then report the click for the nearest common ancestor of both places, and nothing happens.
 */
function keepPresses(): void {
  let press: Press | null = null;
  window.addEventListener(
    'pointerdown',
    ({ target, button, isPrimary }) => {
      const control = target instanceof Element ? target.closest<HTMLElement>(controls) : null;
      press = control !== null && button === 0 && isPrimary ? { control, box: control.getBoundingClientRect() } : null;
    },
    true,
  );
  window.addEventListener(
    'click',
    (event) => {
      const pressed = press;
      press = null;
      // Keys and scripts click without a press, which `detail` tells.
      if (pressed === null || event.detail === 0 || !(event.target instanceof Element)) {
        return;
      }
      const { control, box } = pressed;
      const isElsewhere = event.target !== control && event.target.contains(control);
      if (isElsewhere && hasMoved(control, box) && isInside(box, event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
        control.click();
      }
    },
    true,
  );
}

function hasMoved(control: HTMLElement, before: DOMRect): boolean {
  const { left, top, width, height } = control.getBoundingClientRect();
  return left !== before.left || top !== before.top || width !== before.width || height !== before.height;
}

/** Returns true if the pointer was released where the control was pressed. A person who drags away means to cancel. */
const isInside = (box: DOMRect, { clientX, clientY }: MouseEvent): boolean =>
  clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;

/**
 * Writes to `data-keys` of the document where the keyboard is, so that hints of shortcuts are shown only where they work:
 * `log` in the log, `screen` in a Screen, `typing` in any other field, `free` elsewhere.
 */
function watchKeys(): void {
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
