/**
 * Formats a measured duration: `0.4 s`, `12.9 s`, `2 min 5 s`.
 *
 * @param milliseconds Not negative.
 */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 59.95) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
