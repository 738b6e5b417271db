/** Drawings of the three tools in use. Hidden from screen readers. */
import { Badge } from '../../shared/ui/badge.tsx';
import styles from './tool-previews.module.css';

const lines = [
  { port: 1, color: 'green', text: 'I (473) main_task: Started on CPU0' },
  { port: 2, color: 'cyan', text: '$GNGGA,141207.00,4739.61827,N' },
  { port: 1, color: 'yellow', text: 'W (765) wifi: scanning 1–13' },
  { port: 3, color: 'blue', text: '01 03 02 00 FA 38 07' },
  { port: 1, color: 'red', text: 'E (995) bme280: i2c read failed' },
  { port: 2, color: 'cyan', text: '$GNGSA,A,3,05,13,15,18,20,24' },
] as const;

export function TerminalPreview() {
  return (
    <div className={styles['terminal']}>
      {lines.map(({ port, color, text }) => (
        <div key={text} className={styles['line']} data-port={port}>
          <b>{port}</b>
          <span className={styles[color]}>{text}</span>
        </div>
      ))}
    </div>
  );
}

/** Position and state of each part on the bar, in units of the drawing. */
const parts = [
  { x: 1, width: 26, state: 'verified' },
  { x: 29, width: 16, state: 'verified' },
  { x: 58, width: 18, state: 'verified' },
  { x: 78, width: 112, state: 'writing' },
  { x: 190, width: 60, state: 'waiting' },
] as const;

const ticks = Array.from({ length: 33 }, (_, index) => `M${index * 10 + 0.5} 38v${index % 4 === 0 ? 6 : 3}`).join('');

export function FlasherPreview() {
  return (
    <div className={styles['flasher']}>
      <div className={styles['between']}>
        <span>weather-node.bin</span>
        <span>61 %</span>
      </div>
      <svg viewBox="0 0 321 46" preserveAspectRatio="none" aria-hidden="true">
        <rect x=".5" y=".5" width="319" height="34" className={styles['map']} />
        {parts.map(({ x, width, state }) => (
          <rect key={x} x={x} y="1" width={width} height="33" className={styles[state]} />
        ))}
        <path d={ticks} className={styles['ticks']} />
      </svg>
      <div className={styles['between']}>
        <span>0x0</span>
        <span>0x10000</span>
        <span>0x310000</span>
      </div>
    </div>
  );
}

const versions = [
  { version: '1.4.0', flashes: '412', open: true },
  { version: '1.3.2', flashes: '1 096', open: true },
  { version: '1.5.0-rc1', flashes: '3', open: false },
] as const;

export function ReleasesPreview() {
  return (
    <div className={styles['releases']}>
      <div className={`row ${styles['row']}`}>
        <b>weather-node</b>
        <Badge tone="success">Public</Badge>
      </div>
      {versions.map(({ version, flashes, open }) => (
        <div key={version} className={`row ${styles['row']}`}>
          <span className="mono">{version}</span>
          <span className={styles['flashes']}>{flashes} flashes</span>
          <Badge tone={open ? 'success' : 'neutral'}>{open ? 'Public' : 'Private'}</Badge>
        </div>
      ))}
    </div>
  );
}
