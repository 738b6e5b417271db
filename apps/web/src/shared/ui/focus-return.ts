/** Finds the element that receives the focus when a dialog or a menu closes. */

const buttons = new WeakMap<Element, HTMLElement>();

/** A menu tells which button has opened it. */
export function noteButton(menu: Element, button: HTMLElement): void {
  buttons.set(menu, button);
}

/** An item of a menu goes with the menu: the button that opened the menu stays. */
export function openerOf(element: Element | null): Element | null {
  const menu = element?.closest('[role="menu"]');
  return (menu && buttons.get(menu)) ?? element;
}

/**
 * Returns true if an element outside of `popup` has taken the focus: the next row after a deleted one, a dialog, a
 * field that an action has opened. That element keeps the focus when the popup closes.
 */
export function focusIsElsewhere(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  return !(activeElement === null || activeElement === document.body || popup?.contains(activeElement) === true);
}
