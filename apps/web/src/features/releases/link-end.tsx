import { exactText } from '../../shared/dates/dates.ts';

export interface LinkEndProps {
  /** ISO 8601; undefined for a link without an expiry. */
  readonly endsAt: string | undefined;
}

/** When a share link ends or has ended; nothing for one without an expiry. */
export function LinkEnd({ endsAt }: LinkEndProps) {
  if (endsAt === undefined) {
    return null;
  }
  const hasEnded = Date.parse(endsAt) <= Date.now();
  return (
    <p className="small">
      {hasEnded ? 'Link expired' : 'Link expires'} {exactText(endsAt)}
    </p>
  );
}
