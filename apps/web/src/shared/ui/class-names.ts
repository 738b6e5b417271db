/** Joins the class names that are there, so that a condition can stand in the list. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
