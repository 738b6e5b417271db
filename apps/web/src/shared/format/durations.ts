/** Durations in the notation of the flashers. */
import { durationText } from '@wirebench/flasher/durations';
import { stopwatchText } from '@wirebench/port/numbers';

export { durationText, stopwatchText };

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
