/** Finds the element that receives the focus when a dialog or a menu closes. */

const buttons = new WeakMap<Element, HTMLElement>();

/** Remembers the button that opened a menu. */
export function noteButton(menu: Element, button: HTMLElement): void {
  buttons.set(menu, button);
}

/**
 * Returns the button that opened the menu of an item, because the item disappears with the menu. Returns other
 * elements unchanged.
 */
export function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return (menu && buttons.get(menu)) ?? element;
}

/**
 * Returns true if an element outside of `popup` has taken the focus: the next row after a deleted one, a dialog, or a
 * field that an action has opened. That element keeps the focus when the popup closes.
 */
export function focusIsElsewhere(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  return !(activeElement === null || activeElement === document.body || popup?.contains(activeElement) === true);
}
