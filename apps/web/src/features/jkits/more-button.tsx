import { Button } from '../../shared/ui/button.tsx';
import styles from './library.module.css';

export interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isPlaceholderData: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Button below a list that loads its next page. */
export function MoreButton({ query }: MoreButtonProps) {
  return query.hasNextPage && !query.isPlaceholderData ? (
    <div className={styles['more']}>
      <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show more
      </Button>
    </div>
  ) : null;
}
