import type { PortNumber, SignalChange } from '@wirebench/serial';
import { Switch } from '../../../shared/ui/switch.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { told } from '../../../workbench/port-picker/connect-port.ts';
import styles from './port-pane.module.css';

/** The two lines that the computer drives. On boards with an auto-reset circuit they reset the chip and choose its mode. */
export function ControlLines({ port }: { readonly port: PortNumber }) {
  const connected = useBenchStatus((view) => view.status.ports[port].state === 'connected');
  const { dtr, rts } = useBenchStatus((view) => view.status.ports[port].signals);
  const set = (change: SignalChange) => void told(port, getBench().call('setSignals', port, change));
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Control lines</h3>
      <div className={styles['lines']}>
        <Switch label="DTR" checked={connected && dtr} disabled={!connected} onChange={(on) => set({ dtr: on })} />
        <Switch label="RTS" checked={connected && rts} disabled={!connected} onChange={(on) => set({ rts: on })} />
      </div>
    </section>
  );
}
