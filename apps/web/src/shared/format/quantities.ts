/** Durations in the notation of the flashers. */

/**
 * Formats a duration: `0.4 s`, `12.9 s`, `2 min 5 s`.
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

/** Formats an estimated duration. */
export function roughDurationText(milliseconds: number): string {
  return milliseconds < 1_000
    ? 'less than a second'
    : `about ${durationText(Math.round(milliseconds / 1_000) * 1_000).replace('.0', '')}`;
}

/** Formats the remaining time as minutes and seconds: `0:06`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
