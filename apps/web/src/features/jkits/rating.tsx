import { Star } from 'lucide-react';
import styles from './rating.module.css';

const rounded = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export interface RatingProps {
  /** Mean rating from 1 to 5. 0: no ratings. */
  readonly rating: number;
  readonly ratingCount: number;
}

/** Mean rating of a JKit and number of ratings. */
export function Rating({ rating, ratingCount }: RatingProps) {
  if (ratingCount === 0) {
    return <span className={styles['none']}>Not rated yet</span>;
  }
  const votes = ratingCount === 1 ? '1 rating' : `${ratingCount} ratings`;
  return (
    <span className={styles['rating']}>
      <Star aria-hidden="true" />
      <span className="visually-hidden">{`Rated ${rounded.format(rating)} out of 5, ${votes}`}</span>
      <span aria-hidden="true">
        {rounded.format(rating)} <small>({ratingCount})</small>
      </span>
    </span>
  );
}
