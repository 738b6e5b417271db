/** Compares versions of firmware in the forms of init packets, images and boards. */

/** Returns −1, 0 or 1 if `one` is lower, equal or higher; null if they are not comparable. */
export function compareVersions(one: string, other: string): number | null {
  const [left, right] = [numbersOf(one), numbersOf(other)];
  if (left === null || right === null) {
    return null;
  }
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) {
      return Math.sign(difference);
    }
  }
  return 0;
}

/** Parses `1.2.3+4` of images, `1.2.3.4` of boards, or `5`. */
function numbersOf(version: string): number[] | null {
  return /^\d+([.+]\d+)*$/.test(version) ? version.split(/[.+]/).map(Number) : null;
}
