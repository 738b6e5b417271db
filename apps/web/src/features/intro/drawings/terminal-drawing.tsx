/** The console of the terminal with three ports on one timeline. */
import { ArrowDownToLine } from 'lucide-react';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { type ConsoleRow, ConsoleRows } from './console-rows.tsx';
import { Drawing } from './drawing.tsx';
import styles from './terminal-drawing.module.css';

const ports = [
  { port: 1, name: 'Gateway', settings: '115200 8N1' },
  { port: 2, name: 'GNSS', settings: '38400 8N1' },
  { port: 4, name: 'Modem', settings: '57600 8N1' },
] as const;

const rows: readonly ConsoleRow[] = [
  { time: '14:12:06.873', port: 1, color: 'green', text: 'I (473) main_task: Started on CPU0' },
  { time: '14:12:07.002', port: 2, text: '$GNZDA,141207.00,20,11,2026,00,00*7D' },
  { time: '14:12:07.165', port: 1, color: 'yellow', text: 'W (765) wifi: scanning 1–13' },
  { time: '14:12:07.204', port: 4, sent: true, text: 'AT+CSQ' },
  { time: '14:12:07.231', port: 4, text: '+CSQ: 21,99' },
  { time: '14:12:07.233', port: 4, text: 'OK' },
  { time: '14:12:07.395', port: 1, color: 'red', text: 'E (995) bme280: i2c read failed' },
  { time: '14:12:08.002', port: 2, text: '$GNZDA,141208.00,20,11,2026,00,00*72' },
];

export function TerminalDrawing() {
  return (
    <Drawing label="The console of the terminal: lines of three ports in the order in which they arrived, and one that was sent">
      <div className={styles['ports']}>
        {ports.map(({ port, name, settings }) => (
          <div key={port} className={`row ${styles['port']}`}>
            <PortFlag port={port} />
            <span>
              <b>{name}</b>
              <small>{settings}</small>
            </span>
          </div>
        ))}
      </div>
      <ConsoleRows rows={rows} />
      <div className={`row ${styles['tail']}`}>
        <ArrowDownToLine />
        <b>Following</b>
        <span>{rows.length} lines</span>
      </div>
      <div className={styles['send']} data-port="4">
        <span className={styles['field']}>
          <PortFlag port={4} />
          <span>Enter sends to Modem</span>
        </span>
        <span className={styles['button']}>
          <PortFlag port={4} />
          Send
        </span>
      </div>
    </Drawing>
  );
}
