import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { lines } from '../../../shared/format/numbers.ts';
import { canRecord } from '../../../shared/storage/recording-folder.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from '../../../workbench/strip.module.css';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { startRecording } from './recordings.ts';

/** Strip for a full buffer: number of dropped lines, and a button that starts a recording. */
export function FullStrip() {
  const dropped = useBenchStatus(({ status }) => status.droppedLines);
  const recording = useBenchStatus(({ recordings }) => recordings.length > 0);
  const bufferSize = useTerminalSettings((settings) => settings.bufferSize);
  const [hidden, setHidden] = useState(false);
  if (dropped === 0 || hidden) {
    return null;
  }
  return (
    <div className={classNames('row', styles['strip'], styles['warning'])}>
      <TriangleAlert />
      <span>
        <b>The buffer is full.</b> The oldest {lines(dropped)} were dropped. It keeps {memoryText(bufferSize << 20)} per
        port
        {recording ? '; the recording keeps everything.' : '. A recording keeps everything from now on.'}
      </span>
      <span className={styles['end']}>
        {recording || !canRecord() ? null : (
          <Button size="sm" onClick={() => void startRecording({ kind: 'raw' })}>
            Record
          </Button>
        )}
        <Button size="sm" variant="quiet" onClick={() => setHidden(true)}>
          Hide
        </Button>
      </span>
    </div>
  );
}
