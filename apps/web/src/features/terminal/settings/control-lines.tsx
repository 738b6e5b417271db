import type { SignalChange } from '@wirebench/port';
import type { PortNumber } from '@wirebench/serial';
import { RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { FlashThisPort } from '../flash-this-port.tsx';
import styles from './port-pane.module.css';

type Act = 'run' | 'boot' | 'break';

const acts = [
  {
    act: 'run',
    label: 'Reset board',
    icon: <RotateCcw />,
    what: 'Pulses DTR and RTS. Boards with an auto-reset circuit restart.',
  },
  {
    act: 'boot',
    label: 'Boot mode',
    icon: null,
    what: 'Resets an ESP board with IO0 held low, into download mode.',
  },
  {
    act: 'break',
    label: 'Break',
    icon: null,
    what: 'Holds the transmit line low for 250 ms.',
  },
] as const satisfies readonly { act: Act; label: string; icon: ReactNode; what: string }[];

/**
 * Switches for DTR and RTS, and buttons for sequences. On boards with an auto-reset circuit, these lines reset the
 * chip and select its boot mode.
 */
export function ControlLines({ port }: { readonly port: PortNumber }) {
  const connected = useBenchStatus((view) => view.status.ports[port].state === 'connected');
  const { dtr, rts } = useBenchStatus((view) => view.status.ports[port].signals);
  const set = (change: SignalChange) => void reportingFailure(port, getBench().call('setSignals', port, change));
  const [running, setRunning] = useState<Act | null>(null);
  const run = async (act: Act) => {
    // One sequence at a time: two would change the lines alternately.
    if (running === null) {
      setRunning(act);
      const bench = getBench();
      await reportingFailure(
        port,
        act === 'break' ? bench.call('sendBreak', port) : bench.call('resetBoard', port, act),
      );
      setRunning(null);
    }
  };
  return (
    <section className={styles['section']}>
      <h3 className={styles['title']}>Control lines</h3>
      <div className={styles['lines']}>
        <Switch label="DTR" checked={connected && dtr} disabled={!connected} onChange={(on) => set({ dtr: on })} />
        <Switch label="RTS" checked={connected && rts} disabled={!connected} onChange={(on) => set({ rts: on })} />
      </div>
      <div className={styles['buttons']}>
        {acts.map(({ act, label, icon, what }) => (
          <Tooltip key={act} text={connected ? what : `Port ${port} is not connected. ${what}`}>
            {(anchor) => (
              <Button
                {...anchor}
                size="sm"
                className={styles['sequence']}
                icon={icon}
                aria-disabled={connected ? undefined : true}
                busy={running === act}
                onClick={() => void run(act)}
              >
                {label}
              </Button>
            )}
          </Tooltip>
        ))}
      </div>
      <FlashThisPort port={port} className={styles['sequence']} />
    </section>
  );
}
