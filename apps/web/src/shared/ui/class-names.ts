/** Joins class names, and skips false and null, so that a list can contain conditions. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
