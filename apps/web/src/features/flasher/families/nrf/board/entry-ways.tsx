/** Instructions for starting each kind of bootloader, and for copying to the UF2 drive instead. */
import { uf2Drives, uf2InfoFile } from '@wirebench/flasher/nrf';
import type { ReactNode } from 'react';
import { useFlasher } from '../../../store/flasher-store.ts';
import { EntryDrawing } from './entry-drawing.tsx';
import styles from './entry-ways.module.css';

/** The three bootloaders, a line each: which boards have it, and how it is started. */
const bootloaders = [
  { name: 'UF2 (Adafruit)', boards: 'Feather, XIAO, nice!nano', start: 'by itself, or press reset twice' },
  {
    name: 'Nordic DFU',
    boards: 'nRF52840 Dongle, nRF5 SDK',
    start: 'hold the button while you plug it in, or press reset',
  },
  {
    name: 'MCUboot',
    boards: 'nRF Connect SDK, Zephyr',
    start: 'hold Button 1, or that of the build, while you press reset',
  },
] as const;

/** Has drawings once a connection has failed: most boards start their bootloader by themselves. */
export function EntryWays() {
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  return !failed ? (
    <dl className={styles['bootloaders']}>
      {bootloaders.map(({ name, boards, start }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {boards}: {start}.
          </dd>
        </div>
      ))}
    </dl>
  ) : (
    <div className={styles['ways']}>
      <p className="silk">Starting the bootloader</p>
      <Way title="Adafruit, Seeed and other UF2 boards">
        <p>
          Pick the port of the running program: Wirebench asks it to start the bootloader. If that does not help, press
          reset twice within half a second.
        </p>
        <EntryDrawing way="double-tap" />
      </Way>
      <Way title="Nordic dongle, nRF5 SDK">
        <p>Hold the button while you plug the board in or press reset. The dongle’s red light pulses.</p>
        <EntryDrawing way="hold" />
      </Way>
      <Way title="MCUboot, nRF Connect SDK">
        <p>
          Hold the button that the build defines, Button 1 on most kits, while you press reset. Builds without a button
          wait briefly after each reset.
        </p>
        <EntryDrawing way="hold" />
      </Way>
      <Way title="A .uf2 file, or no serial port">
        <ol>
          <li>Press reset twice within half a second. A drive appears, such as {driveNames()}.</li>
          <li>
            Check with its <code>{uf2InfoFile}</code> that it is the right board.
          </li>
          <li>Copy the .uf2 file to the drive. The board restarts automatically.</li>
        </ol>
      </Way>
    </div>
  );
}

const driveNames = () =>
  uf2Drives
    .slice(0, 2)
    .map(({ label }) => label)
    .join(', ');

function Way({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className={styles['way']}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
