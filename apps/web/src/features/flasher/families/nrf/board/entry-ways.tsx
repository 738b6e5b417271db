/** Instructions for starting each kind of bootloader, and for copying to the UF2 drive instead. */
import { uf2Drives, uf2InfoFile } from '@wirebench/flasher/nrf';
import type { ReactNode } from 'react';
import { useFlasher } from '../../../store/flasher-store.ts';
import { EntryDrawing } from './entry-drawing.tsx';
import styles from './entry-ways.module.css';

/** Draws nothing before a connection has failed: most boards start their bootloader by themselves. */
export function EntryWays() {
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  return !failed ? null : (
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
