/**
 * Keeps the focus from falling to the page's body. If the focused element is removed (a button that was replaced, a
 * closed panel, a deleted row), the control nearest to its place gets the focus. If the element is disabled, the box
 * around it holds the focus, because a key must not change a neighbour. The element gets the focus back when it is
 * enabled. `Button` keeps the focus itself while it is disabled. This hook serves fields, selects, switches and
 * `fieldset`s.
 */
import { type RefObject, useEffect } from 'react';

const focusable =
  'a[href], button:not([disabled]), input:not([disabled], [type="hidden"], [hidden]), select:not([disabled]), textarea, [tabindex="0"]';

const isFree = () => document.activeElement === null || document.activeElement === document.body;

/** Position of a removed element: inside `parent`, after `previous`. */
interface Place {
  readonly parent: Node;
  readonly previous: Node | null;
}

/** Returns true if `element` comes before the end of `mark`. Null is the start, which no element precedes. */
function isBefore(element: HTMLElement, mark: Node | null): boolean {
  return (
    mark !== null &&
    (mark.contains(element) || (element.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)
  );
}

/**
 * Returns the first focusable element at or after `place`, else the last one before it. Without one, it searches
 * further out.
 */
function nextFocusable({ parent, previous }: Place, root: HTMLElement): HTMLElement | null {
  let after: Node | null = previous;
  for (let scope: Node | null = parent; scope !== null && root.contains(scope); scope = scope.parentNode) {
    const within = scope instanceof HTMLElement ? [...scope.querySelectorAll<HTMLElement>(focusable)] : [];
    const reachable = within.filter((element) => element.tabIndex >= 0 && element.getClientRects().length > 0);
    const next = reachable.find((element) => !isBefore(element, after)) ?? reachable.at(-1);
    if (next !== undefined) {
      return next;
    }
    after = scope;
  }
  return null;
}

/** Returns the closest box around `element` that can hold the focus in its place. */
function boxAround(element: HTMLElement, root: HTMLElement): HTMLElement {
  const box = element.parentElement?.closest<HTMLElement>('[role="group"], form, section, [role="dialog"]');
  return box && root.contains(box) ? box : root;
}

/**
 * Tracks the last focused element inside `root`, also while a menu or a dialog elsewhere in the document has the
 * focus.
 */
export function useFocusKeeper(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (element === null) {
      return;
    }
    let last: HTMLElement | null = null;
    /** True: a menu or a dialog has the focus now. */
    let away = false;
    let place: Place | null = null;
    /** Holds the focus for `last` while `last` is disabled. */
    let holder: HTMLElement | null = null;
    let frame = 0;
    const endHold = () => {
      if (holder?.dataset['holdsFocus'] !== undefined) {
        holder.removeAttribute('tabindex');
        delete holder.dataset['holdsFocus'];
      }
      holder = null;
    };
    const hold = (disabled: HTMLElement) => {
      holder = boxAround(disabled, element);
      if (!holder.hasAttribute('tabindex')) {
        holder.tabIndex = -1;
        holder.dataset['holdsFocus'] = '';
      }
      holder.focus({ preventScroll: true });
    };
    const rescue = () => {
      if (last === null || !(isFree() || document.activeElement === holder)) {
        return;
      }
      if (!last.isConnected) {
        // In another layout the same control is a different element.
        const same = last.id === '' ? null : document.getElementById(last.id);
        (same ?? (place && nextFocusable(place, element)))?.focus({ preventScroll: true });
      } else if (last.matches(':disabled')) {
        hold(last);
      } else if (away || holder !== null) {
        last.focus({ preventScroll: true });
      }
    };
    /** Waits two frames, because a menu or a dialog returns the focus itself shortly after it has closed. */
    const rescueSoon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(rescue);
      });
    };
    const inside = new MutationObserver((records) => {
      const gone = records.find(
        ({ target, removedNodes }) =>
          removedNodes.length > 0 && element.contains(target) && last?.isConnected === false,
      );
      if (gone !== undefined && place === null) {
        place = { parent: gone.target, previous: gone.previousSibling };
      }
      rescueSoon();
    });
    const outside = new MutationObserver(rescueSoon);
    /** Observes only the ancestors up to the root. Changes elsewhere, above all in the log, cost nothing. */
    const watch = (observer: MutationObserver, from: Element, top: Element) => {
      observer.disconnect();
      for (let node: Element | null = from.parentElement; node !== null; node = node.parentElement) {
        observer.observe(node, { childList: true });
        if (node === top) {
          return;
        }
      }
    };
    const focused = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === holder) {
        return;
      }
      endHold();
      if (element.contains(target)) {
        last = target;
        place = null;
        away = false;
        outside.disconnect();
        watch(inside, target, element);
        const whatDisables = { attributes: true, attributeFilter: ['disabled'] };
        inside.observe(target, whatDisables);
        for (let set = target.closest('fieldset'); set !== null; set = set.parentElement?.closest('fieldset') ?? null) {
          inside.observe(set, { ...whatDisables, childList: true });
        }
      } else {
        away = true;
        watch(outside, target, document.body);
      }
    };
    document.addEventListener('focusin', focused);
    return () => {
      document.removeEventListener('focusin', focused);
      endHold();
      inside.disconnect();
      outside.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [root]);
}
