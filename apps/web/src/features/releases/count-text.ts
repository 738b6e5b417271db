const thinSpace = '\u2009';

/** Formats `12 405`, with a thin space between thousands. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);
}
