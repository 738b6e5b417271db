import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './page-arrows.module.css';

export interface PageArrowsProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

/** Nothing when there is only one page. */
export function PageArrows({ page, pages, onTurn }: PageArrowsProps) {
  if (pages <= 1) {
    return null;
  }
  return (
    <nav className={styles['pages']} aria-label="Pages">
      <IconButton label="Previous page" icon={<ChevronLeft />} disabled={page <= 1} onClick={() => onTurn(page - 1)} />
      <span className="num" aria-live="polite">
        Page {page} of {pages}
      </span>
      <IconButton label="Next page" icon={<ChevronRight />} disabled={page >= pages} onClick={() => onTurn(page + 1)} />
    </nav>
  );
}
