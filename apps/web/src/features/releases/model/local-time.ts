/**
 * Formats a time in local time for a field of date and time (HTML, "Local date and time strings"):
 * `2026-11-20T14:30`.
 */
export function localTime(moment: Date): string {
  const part = (value: number, length = 2) => String(value).padStart(length, '0');
  const day = [part(moment.getFullYear(), 4), part(moment.getMonth() + 1), part(moment.getDate())].join('-');
  return `${day}T${part(moment.getHours())}:${part(moment.getMinutes())}`;
}
