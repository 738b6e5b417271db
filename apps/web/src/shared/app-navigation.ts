/**
 * Goes to another page of the product without leaving the document. Ports and logs last as long as the document, so a
 * page that holds a board must not be left by `location`.
 */
export const appNavigation: {
  /** Shows the page at `href` within the document; set by the router, or by the document of a flasher. Null: not possible. */
  show: ((href: string) => void) | null;
} = { show: null };

/** Shows the page at `href`, within the document if possible. */
export function goTo(href: string): void {
  if (appNavigation.show === null) {
    location.assign(href);
  } else {
    appNavigation.show(href);
  }
}
