import { exactText } from '../../../shared/dates/dates.ts';

export interface LinkEndProps {
  /** ISO 8601; undefined for a link without an expiry. */
  readonly endsAt: string | undefined;
}

/** Shows the end of a share link; renders nothing for a link without an expiry. */
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
