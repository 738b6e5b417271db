import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Square } from 'lucide-react';
import { count } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useRepeat } from './repeats.ts';
import styles from './send-bar.module.css';

/** One strip for each port with a repeated message. */
export function RepeatStrips() {
  return portNumbers.map((port) => <RepeatStrip key={port} port={port} />);
}

function RepeatStrip({ port }: { readonly port: PortNumber }) {
  const repeat = useRepeat(port);
  if (repeat === null) {
    return null;
  }
  return (
    <div className={styles['repeat']} data-port={port}>
      <PortFlag port={port} />
      <code className={`ellipsis ${styles['repeated']}`}>{repeat.text}</code>
      <span>
        every {count(repeat.every)} ms, {count(repeat.count)} sent
      </span>
      <Button size="sm" icon={<Square />} aria-label={`Stop repeating to port ${port}`} onClick={repeat.stop}>
        Stop
      </Button>
    </div>
  );
}
