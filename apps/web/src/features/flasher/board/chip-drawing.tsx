import styles from './board-card.module.css';

/** Positions of the pins along each side, in units of the drawing. */
const pins = Array.from({ length: 9 }, (_, index) => 14 + 4.5 * index);

export interface ChipDrawingProps {
  /** Two short lines, as they would be printed on the package. */
  readonly top: string;
  readonly bottom: string;
}

export function ChipDrawing({ top, bottom }: ChipDrawingProps) {
  return (
    <svg className={styles['package']} viewBox="0 0 64 64" fill="none" aria-hidden="true">
      {pins.map((at) => (
        <path
          key={at}
          d={`M${at} 4v6M${at} 54v6M4 ${at}h6M54 ${at}h6`}
          stroke="var(--color-border-control)"
          strokeWidth="2"
        />
      ))}
      <rect
        x="9"
        y="9"
        width="46"
        height="46"
        rx="2"
        fill="var(--color-raised)"
        stroke="var(--color-border-control)"
        strokeWidth="1.5"
      />
      <circle cx="15.5" cy="15.5" r="2" fill="var(--color-border-control)" />
      <text x="32" y="31" textAnchor="middle" className={styles['print']} fill="var(--color-text)">
        {top}
      </text>
      <text x="32" y="42" textAnchor="middle" className={styles['print']} fill="var(--color-accent-text)">
        {bottom}
      </text>
    </svg>
  );
}
