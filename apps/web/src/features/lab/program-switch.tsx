/** Button that changes from the boot ROM to the faster program in RAM, and back. */
import { Cpu, Undo2 } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import { Tooltip } from '../../shared/ui/tooltip.tsx';
import styles from './lab-strip.module.css';
import { useLab } from './store/lab-store.ts';
import { backToRom, cancelProgram, loadProgram } from './store/program.ts';
import { tell } from './store/run.ts';

export function ProgramSwitch() {
  const program = useLab(({ tick }) => tick.program);
  const loading = useLab(({ tick }) => tick.loading);
  const leaving = useLab(({ phase }) => phase === 'leaving');
  const runsProbe = useLab(({ board }) => board?.runsProbe === true);
  if (runsProbe) {
    // The probe runs from flash, and a reset would only start it again.
    return program !== null || loading ? null : (
      <Button className={styles['program']} icon={<Cpu />} disabled={leaving} onClick={() => void tell(loadProgram)}>
        Use its fast operations
      </Button>
    );
  }
  const { text, name, icon, act } = program !== null ? running : loading ? beingLoaded : inRom;
  // All states share one button and one tooltip, so that a resting pointer is not shown another text after the press.
  return (
    <Tooltip text={text}>
      {(anchor) => (
        <Button
          {...anchor}
          className={styles['program']}
          icon={icon}
          disabled={leaving && !loading}
          onClick={() => act()}
        >
          {name}
        </Button>
      )}
    </Tooltip>
  );
}

const inRom = {
  text: 'Load the fast program into RAM: full-duplex UART, logic capture, longer transfers. Flash stays untouched, and a reset ends it',
  name: 'Load RAM program',
  icon: <Cpu />,
  act: () => void tell(loadProgram),
};

const beingLoaded = {
  text: 'The boot ROM goes on as before',
  name: 'Cancel loading',
  icon: null,
  act: () => void tell(cancelProgram),
};

const running = {
  text: 'Releases all pins, resets the board and connects to its ROM again',
  name: 'Back to ROM',
  icon: <Undo2 />,
  act: () => void tell(backToRom),
};
