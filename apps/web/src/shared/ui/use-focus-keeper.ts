/**
 * The focus never falls to the page's body: when what had it goes away (a button that made room for another one, a closed panel, a
 * deleted row) or is disabled by its own press, the element nearest to its place takes it.
 */
import { type RefObject, useEffect } from 'react';

const focusable =
  'a[href], button:not([disabled]), input:not([disabled], [type="hidden"], [hidden]), select:not([disabled]), textarea, [tabindex="0"]';

const isFree = () => document.activeElement === null || document.activeElement === document.body;

/** Where something was that has been removed: inside `parent`, after `previous`. */
interface Place {
  readonly parent: Node;
  readonly previous: Node | null;
}

/** `element` comes before the end of `mark`; nothing is before the start, which is null. */
function isBefore(element: HTMLElement, mark: Node | null): boolean {
  return (
    mark !== null &&
    (mark.contains(element) || (element.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0)
  );
}

/** The first element that can take the focus at or after `place`, else the last one before it; further out where there is none. */
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

/** Watches what had the focus last inside `root`, also while a menu or a dialog that hangs elsewhere in the document has it. */
export function useFocusKeeper(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (element === null) {
      return;
    }
    let last: HTMLElement | null = null;
    /** It is in a menu or a dialog now. */
    let away = false;
    let place: Place | null = null;
    let frame = 0;
    const rescue = () => {
      if (!isFree() || last === null) {
        return;
      }
      if (!last.isConnected) {
        // The same control may be elsewhere now, in another layout.
        const same = last.id === '' ? null : document.getElementById(last.id);
        (same ?? (place && nextFocusable(place, element)))?.focus({ preventScroll: true });
      } else if (last.matches(':disabled')) {
        const { parentNode: parent, previousSibling: previous } = last;
        (parent && nextFocusable({ parent, previous }, element))?.focus({ preventScroll: true });
      } else if (away) {
        last.focus({ preventScroll: true });
      }
    };
    /** A menu or a dialog gives the focus back itself, a moment after it has gone. */
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
    /** Only the way up to the root: what goes on elsewhere, in the log above all, costs nothing. */
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
      if (!(target instanceof HTMLElement)) {
        return;
      }
      if (element.contains(target)) {
        last = target;
        place = null;
        away = false;
        outside.disconnect();
        watch(inside, target, element);
        inside.observe(target, { attributes: true, attributeFilter: ['disabled'] });
      } else {
        away = true;
        watch(outside, target, document.body);
      }
    };
    document.addEventListener('focusin', focused);
    return () => {
      document.removeEventListener('focusin', focused);
      inside.disconnect();
      outside.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [root]);
}
