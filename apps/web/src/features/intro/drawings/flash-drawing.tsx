/** The flasher during a write: its memory map and readouts with example values. */

import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { MemoryMap } from '../../../workbench/memory-map.tsx';
import { Readout } from '../../../workbench/readout.tsx';
import { Drawing } from './drawing.tsx';
import styles from './flash-drawing.module.css';

/** Written part of the application, 0 to 1. */
const DONE = 0.61;

const MEBIBYTE = 2 ** 20;

/** A 4 MB ESP32 with ESP-IDF's usual partition table. */
const regions = [
  { label: 'boot.bin', start: 0x1000, end: 0x7a10, state: 'unchanged', done: 1 },
  { label: 'table.bin', start: 0x8000, end: 0x8c00, state: 'unchanged', done: 1 },
  { label: 'app.bin', start: 0x1_0000, end: 0xd_b0a0, state: 'writing', done: DONE },
] as const;

const areas = [{ label: 'nvs', start: 0x9000, end: 0xf000, fate: 'kept' }] as const;

export function FlashDrawing() {
  return (
    <Drawing label="The flasher at 61 %: bootloader and partition table are there already, the application is being written, stored settings are not touched">
      <div className={styles['head']}>
        <div className={styles['now']}>
          <span className={`silk ${styles['phase']}`}>Writing</span>
          <b>app.bin at 0x10000</b>
        </div>
        <Readout label="Done" value="61" unit="%" />
      </div>
      <ProgressBar label="Written and verified" done={DONE} />
      <div className={styles['map']}>
        <MemoryMap regions={regions} areas={areas} flash={{ start: 0, size: 4 * MEBIBYTE }} />
      </div>
    </Drawing>
  );
}
