import { classNames } from '../../shared/ui/class-names.ts';
import styles from './project-slots.module.css';

/** More slots than these are told in numbers only. */
const MOST_PIPS = 12;

export interface ProjectSlotsProps {
  readonly used: number;
  readonly limit: number;
}

/** How many of the projects that one may have are taken. */
export function ProjectSlots({ used, limit }: ProjectSlotsProps) {
  return (
    <div className={`row ${styles['slots']}`}>
      {limit > MOST_PIPS ? null : (
        <span aria-hidden="true" className={styles['pips']}>
          {Array.from({ length: limit }, (_, index) => (
            <i key={String(index)} className={classNames(index < used && styles['on'])} />
          ))}
        </span>
      )}
      <span className="num">
        {used} of {limit} projects
      </span>
      <span className={styles['order']}>Newest change first</span>
    </div>
  );
}
