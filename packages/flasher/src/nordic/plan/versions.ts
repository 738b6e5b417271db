/** Versions of firmware in the forms in which init packets, images and boards have them. */

/** Below, equal, above; null when they are not alike. */
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

/** `1.2.3+4` of images, `1.2.3.4` of boards, `5`. */
function numbersOf(version: string): number[] | null {
  return /^\d+([.+]\d+)*$/.test(version) ? version.split(/[.+]/).map(Number) : null;
}
