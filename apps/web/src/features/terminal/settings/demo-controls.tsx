import type { PortNumber } from '@wirebench/serial';
import { Button } from '../../../shared/ui/button.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import styles from './port-pane.module.css';

/** The plug of a demo device, so that one can see what happens to a board that loses it. */
export function DemoControls({ port }: { readonly port: PortNumber }) {
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? false);
  const plug = (into: boolean) => void getBench().call('plugDemo', port, into);
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Demo device</h3>
      <p className={styles['explanation']}>
        A simulated board: no hardware needed. Type <code>help</code> to see what it can do, or unplug it.
      </p>
      <div className={styles['buttons']}>
        <Button size="sm" disabled={!plugged} onClick={() => plug(false)}>
          Unplug
        </Button>
        <Button size="sm" disabled={plugged} onClick={() => plug(true)}>
          Plug in again
        </Button>
      </div>
    </section>
  );
}
