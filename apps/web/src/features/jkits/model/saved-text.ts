const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/**
 * Returns `Saved today 13:40`, `Saved 12 Nov` or `Saved 12 Nov 2025`.
 *
 * @param at Time of the save, ISO 8601.
 * @param now Milliseconds since the Unix epoch.
 */
export function savedText(at: string, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) {
    return `Saved today ${time.format(date)}`;
  }
  return `Saved ${(date.getFullYear() === today.getFullYear() ? day : dayOfYear).format(date)}`;
}
