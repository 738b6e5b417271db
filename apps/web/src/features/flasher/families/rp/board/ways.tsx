/** Ways to a board besides its two usual ones: its drive, and how a person starts BOOTSEL. */
import { pageFamily, useFlasher } from '../../../store/flasher-store.ts';
import { BootselDrawing } from './bootsel-drawing.tsx';
import styles from './ways.module.css';

export function RpWays() {
  const failed = useFlasher(({ connectFailed }) => connectFailed);
  const { pickDrive } = pageFamily();
  return pickDrive === undefined && !failed ? null : (
    <div className="stack apart">
      {failed ? <BootselDrawing /> : null}
      {pickDrive === undefined ? null : (
        <p className={`small ${styles['drive']}`}>
          Third way, for systems without a driver, as Windows for an RP2040: the drive RPI-RP2 or RP2350, among the
          other ways to connect. Nothing can be read back there.
        </p>
      )}
    </div>
  );
}
