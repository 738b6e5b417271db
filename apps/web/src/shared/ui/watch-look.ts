/** Notifies code that draws by hand of a changed element size, or of a changed theme. */

/** Also calls `act` once at the beginning. Returns how to end it. */
export function watchSize(element: Element, act: () => void): () => void {
  const observer = new ResizeObserver(act);
  observer.observe(element);
  return () => observer.disconnect();
}

/** The theme stands at the root of the document. Returns how to end it. */
export function watchTheme(act: () => void): () => void {
  const observer = new MutationObserver(act);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
