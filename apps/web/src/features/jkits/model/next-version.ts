/** The version that follows: its last number one higher, as in `1.0.1` after `1.0.0`. One without a number stays. */
export function nextVersion(version: string): string {
  return version.replace(/\d+(?=\D*$)/, (number) => String(BigInt(number) + 1n));
}
