import { uartTrace } from '../../shared/drawing/uart-trace.ts';
import styles from './watermark.module.css';

const HEIGHT = 30;

const { path, width } = uartTrace('Wirebench: four ports, one timeline. Nothing to install.', {
  bit: 8,
  high: 1,
  low: 27,
  idle: 240,
  gap: 8,
});

/** The product's name as a signal on a UART line. */
export function Watermark() {
  return (
    <div className={styles['watermark']}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        fill="none"
        stroke="currentColor"
      >
        <path d={path} strokeWidth="1.5" />
      </svg>
    </div>
  );
}
