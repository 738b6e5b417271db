/**
 * Returns the version with its last number increased: `1.0.1` after `1.0.0`. A version without a number is returned
 * unchanged.
 */
export function nextVersion(version: string): string {
  return version.replace(/\d+(?=\D*$)/, (number) => String(BigInt(number) + 1n));
}
