/** A device panel of the terminal with a JKit. A press on a message sends it, and a check mark confirms its answer. */
import { Play } from 'lucide-react';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { Drawing } from './drawing.tsx';
import styles from './panel-drawing.module.css';

const messages = [
  { content: 'AT', fact: 'Text', isGood: false },
  { content: 'AT+GMR', fact: '24 ms', isGood: true },
  { content: '01 03 00 00 00 01 84 0A', fact: 'Hex', isGood: false },
];

export function PanelDrawing() {
  return (
    <Drawing label="A panel with three messages; the answer that the second one expects has come">
      <div className={styles['head']}>
        <b>ESP-AT</b>
        <span className={styles['target']}>
          <PortFlag port={4} />
          Modem
        </span>
      </div>
      <div className={styles['run']}>
        <span className={styles['all']}>
          <Play />
          Run
        </span>
        <span>3 / 50</span>
        <code>CRLF</code>
      </div>
      <ul data-port="4">
        {messages.map(({ content, fact, isGood }) => (
          <li key={content} className={styles['message']}>
            <Play />
            <code>{content}</code>
            <span className={isGood ? styles['good'] : styles['type']}>{fact}</span>
          </li>
        ))}
      </ul>
    </Drawing>
  );
}
