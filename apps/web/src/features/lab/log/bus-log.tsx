/** The bench's console with the log of all instruments: port 1 is the board, port 2 the bytes of the UART bridge. */
import { exportFileName } from '@wirebench/serial';
import { ArrowDownToLine, Clock, Download, Eraser, FileText, Table2 } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { clearLog } from '../../../workbench/console/clear-log.ts';
import { ConsoleLog, type ConsoleLogHandle } from '../../../workbench/console/console-log.tsx';
import { FindFailure, FindField } from '../../../workbench/console/find/find-field.tsx';
import { timeLabels, timeModes } from '../../../workbench/console/row-times.ts';
import { ExportStrip } from '../../../workbench/exports/export-strip.tsx';
import { saveExport } from '../../../workbench/exports/save-export.ts';
import { useChoice } from '../store/drafts.ts';
import styles from './bus-log.module.css';

/** In px. */
const rowHeight = 20;

const layouts = ['text', 'hex'] as const;

const portNames = { 1: 'Bench', 2: 'UART bridge', 3: 'Port 3', 4: 'Port 4' };

export function BusLog() {
  const phone = useMediaQuery(media.phone);
  const empty = useBenchStatus(({ status }) => status.lines === 0);
  const [layout, setLayout] = useChoice('log layout', layouts, 'text');
  const [times, setTimes] = useChoice('log times', timeModes, 'clock');
  const [following, setFollowing] = useState(true);
  const log = useRef<ConsoleLogHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const follow = (on: boolean) => (on ? log.current?.follow() : log.current?.pause());
  const step = async (direction: 'next' | 'previous') => {
    const hit = await getBench().call('findStep', direction, log.current?.bottomSequence ?? 0);
    if (hit !== null) {
      log.current?.reveal(hit.sequence, true);
    }
  };
  const pressed = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    }
  };
  return (
    <section className={styles['panel']} aria-label="Bus log" onKeyDown={pressed}>
      <div className={`row ${styles['toolbar']}`}>
        <h2>Bus log</h2>
        <Segmented
          label="Display"
          value={layout}
          options={[
            { value: 'text', label: 'Text' },
            { value: 'hex', label: 'Hex' },
          ]}
          onChange={setLayout}
        />
        <FindField field={field} onStep={(direction) => void step(direction)} onLeave={() => log.current?.focus()} />
        <span className={styles['end']}>
          <Menu
            align="end"
            items={timeModes.map((mode) => ({
              label: timeLabels[mode],
              checked: mode === times,
              onSelect: () => setTimes(mode),
            }))}
            trigger={(props) => <Button {...props} size="sm" variant="quiet" icon={<Clock />} aria-label="Time" />}
          />
          <Button
            size="sm"
            icon={<ArrowDownToLine />}
            pressed={following}
            aria-label="Follow"
            onClick={() => follow(!following)}
          />
          <IconButton label="Clear" variant="quiet" size="sm" icon={<Eraser />} onClick={() => void clearLog()} />
          <Menu
            align="end"
            items={[
              { label: 'As text', icon: <FileText />, onSelect: () => void save('text', empty) },
              { label: 'As CSV', icon: <Table2 />, onSelect: () => void save('csv', empty) },
            ]}
            trigger={(props) => <Button {...props} size="sm" variant="quiet" icon={<Download />} aria-label="Save" />}
          />
        </span>
      </div>
      <FindFailure />
      <ConsoleLog
        ref={log}
        pane={null}
        label="Bus log"
        layout={layout}
        rowHeight={rowHeight}
        wrap={phone}
        controls={false}
        times={times}
        marks
        lineEnds={false}
        onFollowing={setFollowing}
        onSelected={() => undefined}
        onInspected={() => undefined}
      />
      <ExportStrip />
    </section>
  );
}

async function save(kind: 'text' | 'csv', empty: boolean): Promise<void> {
  if (empty) {
    toast('There is nothing to save yet.', { level: 'info' });
    return;
  }
  await saveExport({ kind, portNames }, exportFileName(new Date(), kind === 'text' ? 'txt' : 'csv'), {
    done: 'Bus log saved to file',
    remedy: 'Clear the log, then try again.',
  });
}
