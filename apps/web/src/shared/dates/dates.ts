/** Formats dates and times in this machine's time zone. */

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/**
 * `18 Nov 2026`.
 * @param at ISO 8601.
 */
export function dayText(at: string): string {
  return day.format(new Date(at));
}

/**
 * `today 14:02`, `yesterday 09:30`, `18 Nov 2026`.
 * @param now Milliseconds since the Unix epoch.
 */
export function momentText(at: string, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const named = [
    ['today', today],
    ['yesterday', yesterday],
  ] as const;
  const found = named.find(([, other]) => other.toDateString() === date.toDateString());
  return found === undefined ? day.format(date) : `${found[0]} ${time.format(date)}`;
}

/**
 * `14:02`.
 * @param at Milliseconds since the Unix epoch.
 */
export function clockText(at: number): string {
  return time.format(at);
}

/** `18 Nov 2026, 14:02`: to the minute, for times that users look up later. */
export function exactText(at: string): string {
  const date = new Date(at);
  return `${day.format(date)}, ${time.format(date)}`;
}
