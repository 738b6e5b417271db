/**
 * Output of the demo device for the command `crash`, and the terminal's message about it (`packages/devices`,
 * `chatty/panic.ts`).
 */
import { LevelIcon } from '../../../shared/ui/level-icon.tsx';
import { type ConsoleRow, ConsoleRows } from './console-rows.tsx';
import styles from './crash-drawing.module.css';
import { Drawing } from './drawing.tsx';

const rows: readonly ConsoleRow[] = [
  { time: '14:20:31.402', port: 1, sent: true, text: 'crash' },
  {
    time: '14:20:31.418',
    port: 1,
    text: "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exception was unhandled.",
  },
];

const addresses = [
  { role: 'PC', address: '0x400D5B3E' },
  { role: 'At', address: '0x400D5B3B' },
  { role: 'Caller 1', address: '0x400D5C7E' },
];

export function CrashDrawing() {
  return (
    <Drawing label="The demo board has crashed: the terminal says that it read through a null pointer, and where">
      <div className={styles['strip']}>
        <LevelIcon level="error" />
        <div>
          <b>The board on Port 1 crashed.</b> The program read from an address that it may not read: most often through
          a null pointer, or one that is no longer valid.
        </div>
      </div>
      <ConsoleRows rows={rows} />
      <div className={styles['crash']}>
        <div className={styles['said']}>EXCVADDR is 0x00000000: a null pointer was used.</div>
        <dl>
          {addresses.map(({ role, address }) => (
            <div key={address}>
              <dt>{role}</dt>
              <dd>{address}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Drawing>
  );
}
