/** What a capture needs, and the way to it. */
import { Cpu } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { useLab } from '../store/lab-store.ts';
import { cancelProgram, loadProgram } from '../store/program.ts';
import { tell } from '../store/run.ts';
import styles from './capture-view.module.css';

export function LoadProgram() {
  const loading = useLab(({ tick }) => tick.loading);
  return (
    <div className={styles['offer']}>
      <p>
        <b>A capture needs the program in RAM.</b> The boot ROM is too slow to sample pins. The program is loaded into
        the chip’s RAM: flash stays as it is, pins and buses stay open, and a reset ends it.
      </p>
      <div className={styles['actions']}>
        <Button variant="primary" icon={<Cpu />} busy={loading} onClick={() => void tell(loadProgram)}>
          Load the program into RAM
        </Button>
        {loading ? <Button onClick={() => void tell(cancelProgram)}>Cancel</Button> : null}
      </div>
    </div>
  );
}
