/** Picture of a page without a board: a chip that is not known yet, and the areas of its flash. */
import { familyTraits } from '@wirebench/boards';
import { pageFamily } from '../store/flasher-store.ts';
import styles from './first-picture.module.css';

/** Areas with the left edge of each, and the address below it, in the drawing's units. */
const areas = [
  { label: 'bootloader', x: 136, width: 79, address: '0x0' },
  { label: 'table', x: 215, width: 52, address: '0x8000' },
  { label: 'settings', x: 267, width: 56, address: '0x9000' },
  { label: 'your program', x: 323, width: 216, address: '0x10000' },
  { label: 'files', x: 539, width: 121, address: '' },
  { label: 'crash', x: 660, width: 54, address: '' },
] as const;

const pins = [0, 1, 2, 3, 4].map((place) => 16 + 13 * place);

export function FirstPicture() {
  const hasAreas = familyTraits[pageFamily().name].hasPartitions;
  return (
    <svg
      className={styles['picture']}
      viewBox={hasAreas ? '0 0 720 92' : '0 0 92 92'}
      preserveAspectRatio="xMinYMid slice"
      data-wide={hasAreas || undefined}
      fill="none"
      aria-hidden="true"
      stroke="var(--color-border-control)"
      fontSize="11.5"
    >
      {pins.map((at) => (
        <path key={at} d={`M${at + 4} 4V12M${at + 4} 80V88M4 ${at + 4}H12M80 ${at + 4}H88`} strokeWidth="1.5" />
      ))}
      <rect x="12" y="12" width="68" height="68" rx="3" fill="var(--color-surface)" strokeWidth="1.5" />
      <circle cx="20" cy="20" r="2.5" fill="var(--color-border-control)" stroke="none" />
      <text x="46" y="51" textAnchor="middle" fill="var(--color-text)" stroke="none" fontWeight="600" fontSize="15">
        ?
      </text>
      {hasAreas ? (
        <>
          <path d="M88 46H136" strokeDasharray="3 3" />
          {areas.map(({ label, x, width, address }) => (
            <g key={label}>
              <rect x={x} y="20" width={width} height="50" strokeDasharray="4 3" />
              <text x={x + width / 2} y="49" textAnchor="middle" fill="var(--color-text-muted)" stroke="none">
                {label}
              </text>
              <text x={x} y="86" fill="var(--color-text-subtle)" stroke="none" className={styles['address']}>
                {address}
              </text>
            </g>
          ))}
          <text
            x="714"
            y="86"
            textAnchor="end"
            fill="var(--color-text-subtle)"
            stroke="none"
            className={styles['address']}
          >
            size read from the board
          </text>
        </>
      ) : null}
    </svg>
  );
}
