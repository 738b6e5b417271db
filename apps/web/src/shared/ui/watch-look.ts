/** Notifies code that draws on a canvas of a changed element size or theme. */

/** Calls `act` at once and after each change. Returns a function that stops it. */
export function watchSize(element: Element, act: () => void): () => void {
  const observer = new ResizeObserver(act);
  observer.observe(element);
  return () => observer.disconnect();
}

/** Watches the theme attribute of the document's root. Returns a function that stops it. */
export function watchTheme(act: () => void): () => void {
  const observer = new MutationObserver(act);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
