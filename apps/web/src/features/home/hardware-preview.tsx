import styles from './hardware-preview.module.css';

const COLUMNS = 11;
const ROWS = 6;

/** Cells of an I2C scan that answered, by column and row. */
const answering = new Set(['3,2', '8,3', '5,5']);

const cells = Array.from({ length: COLUMNS * ROWS }, (_, index) => {
  const column = index % COLUMNS;
  const row = Math.floor(index / COLUMNS);
  return { x: 6 + column * 10, y: 4 + row * 11, answers: answering.has(`${column},${row}`) };
});

/** A drawing of an I2C scan: each cell an address, three of them answer. */
export function HardwarePreview() {
  return (
    <svg viewBox="0 0 120 72" className={styles['scan']} aria-hidden="true">
      {cells.map(({ x, y, answers }) => (
        <rect
          key={`${x},${y}`}
          x={x}
          y={y}
          width="8"
          height="8"
          rx="1"
          className={answers ? styles['answers'] : styles['silent']}
        />
      ))}
    </svg>
  );
}
