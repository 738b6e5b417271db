/** Describes how long a share link works, in the same words on every page that shows one. */
import { exactText } from './dates.ts';

/**
 * @param endsAt ISO 8601; undefined for a link without an expiry.
 * @param now Milliseconds since the Unix epoch.
 */
export function linkEndText(endsAt: string | undefined, now: number): string {
  if (endsAt === undefined) {
    return 'It keeps working as long as the release is public.';
  }
  return Date.parse(endsAt) <= now
    ? `It expired ${exactText(endsAt)}: visitors see a page that says so.`
    : `It works until ${exactText(endsAt)}, as long as the release is public.`;
}
