/** Status line: counters of the link, and the keys of the bench. */
import { count } from '../../shared/format/numbers.ts';
import { StatusLine as BenchLine } from '../../workbench/status-line.tsx';
import { useLab } from './store/lab-store.ts';

const keys = [
  { keys: ['⇧P'], what: 'pins' },
  { keys: ['⇧I'], what: 'I2C scan' },
  { keys: ['⇧R'], what: 'registers' },
  { keys: ['⇧L'], what: 'leave' },
];

export function StatusLine() {
  const { writes, reads, flashCommands, roundTrip } = useLab(({ tick }) => tick.counters);
  const program = useLab(({ tick }) => tick.program !== null);
  const isProbe = useLab(({ board }) => board?.runsProbe === true);
  return (
    <BenchLine
      tone="success"
      state={isProbe ? 'Bench open, program in flash' : program ? 'Bench open, program in RAM' : 'Bench open, ROM'}
      figures={[
        { name: 'Register writes', value: count(writes) },
        { name: 'reads', value: count(reads) },
        { name: 'Flash commands sent', value: count(flashCommands) },
        { name: 'Round trip', value: roundTrip === 0 ? '–' : `${roundTrip.toFixed(1)} ms` },
      ]}
      keys={keys}
    />
  );
}
