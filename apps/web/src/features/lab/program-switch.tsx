/** From the boot ROM to the faster program in RAM, and back. */
import { Cpu, Undo2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import styles from './bench-strip.module.css';
import { useLab } from './store/lab-store.ts';
import { backToRom, cancelProgram, loadProgram } from './store/program.ts';
import { tell } from './store/run.ts';

export function ProgramSwitch() {
  const program = useLab(({ tick }) => tick.program);
  const loading = useLab(({ tick }) => tick.loading);
  const leaving = useLab(({ phase }) => phase === 'leaving');
  const runsProbe = useLab(({ board }) => board?.runsProbe === true);
  if (runsProbe) {
    // It runs already, and a reset would only start it again.
    return program !== null || loading ? null : (
      <Button className={styles['program']} icon={<Cpu />} disabled={leaving} onClick={() => void tell(loadProgram)}>
        Use its fast operations
      </Button>
    );
  }
  if (program !== null) {
    return (
      <Tooltip text="Releases all pins, resets the board and connects to its ROM again">
        {(anchor) => (
          <Button
            {...anchor}
            className={styles['program']}
            icon={<Undo2 />}
            disabled={leaving}
            onClick={() => void tell(backToRom)}
          >
            Back to ROM
          </Button>
        )}
      </Tooltip>
    );
  }
  return loading ? (
    <Button className={styles['program']} onClick={() => void tell(cancelProgram)}>
      Cancel loading
    </Button>
  ) : (
    <Tooltip text="Load the fast program into RAM: full-duplex UART, logic capture, longer transfers. Flash stays untouched, and a reset ends it">
      {(anchor) => (
        <Button
          {...anchor}
          className={styles['program']}
          icon={<Cpu />}
          disabled={leaving}
          onClick={() => void tell(loadProgram)}
        >
          Load RAM program
        </Button>
      )}
    </Tooltip>
  );
}
