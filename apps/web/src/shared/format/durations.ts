/** Durations in the notation of the flashers. */
import { durationText } from '@wirebench/flasher/durations';

export { durationText };

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

/** Formats an age as `41 s`, `12 min` or `2 h`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/**
 * Formats milliseconds as `0.015`, `1:06.015` or `2:01:06.015`. Negative values give 0: the computer's clock may have
 * been set back.
 */
export function stopwatchText(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const seconds = Math.floor(whole / 1_000);
  const fraction = `.${String(whole % 1_000).padStart(3, '0')}`;
  if (seconds < 60) {
    return `${seconds}${fraction}`;
  }
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const rest = `${twoDigits(seconds % 60)}${fraction}`;
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}
