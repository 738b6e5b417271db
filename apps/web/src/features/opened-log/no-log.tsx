/** Page of opened logs before one is open: asks for a file, also a dropped one. */
import { FolderOpen } from 'lucide-react';
import { useFileDrop } from '../../shared/files/use-file-drop.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { addLogs, chooseLogs } from './choose-logs.ts';
import styles from './opened-log.module.css';

export function NoLog() {
  const over = useFileDrop({ take: ({ files }) => addLogs(files) });
  return (
    <div className={classNames(styles['empty'], over && styles['over'])}>
      <h1 className={styles['title']}>Open a log</h1>
      <p className={styles['text']}>
        Drop a file here or choose one: a log of tio, minicom, picocom, PuTTY, CoolTerm, Tera Term, the Arduino IDE, VS
        Code, idf.py monitor, ESPHome, ts or Wirebench, any other text, or raw bytes. It stays on this computer.
      </p>
      <Button variant="primary" size="lg" icon={<FolderOpen />} onClick={chooseLogs}>
        Choose a file…
      </Button>
      <p className={styles['small']}>
        Every tool of the terminal works on it: find, filter, plot, crashes, statistics and hex. Up to four logs are
        open at a time, on one timeline if all have times.
      </p>
    </div>
  );
}
