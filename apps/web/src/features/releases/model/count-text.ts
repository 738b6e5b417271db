const thinSpace = '\u2009';

/** `12 405`, thousands apart by a thin space. */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, thinSpace);
}
