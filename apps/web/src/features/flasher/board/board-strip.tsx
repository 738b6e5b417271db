/** Tabs for several boards: the progress of each, and the board in view. */
import { Tabs } from '@base-ui/react/tabs';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Plus, Zap } from 'lucide-react';
import { Button } from '../../../shared/ui/button.tsx';
import { Led } from '../../../shared/ui/led.tsx';
import type { FlashPhase, FlashState } from '../state/flash-state.ts';
import { startFailed } from '../state/start-observation.ts';
import { write } from '../store/flash-actions.ts';
import { flasherStore, useFlasher } from '../store/flasher-store.ts';
import { isTerminals } from '../store/port-owners.ts';
import styles from './board-strip.module.css';

const phaseText = {
  none: 'No board',
  connecting: 'Connecting',
  detected: 'Ready',
  planning: 'Comparing',
  planned: 'Ready',
  writing: 'Writing',
  restarting: 'Restarting',
  working: 'Busy',
  releasing: 'Restarting',
  running: 'Restarted',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
} satisfies Record<FlashPhase, string>;

/** Returns true if the written program does not run, or if the write could not be verified. */
const isDoubtful = ({ phase, startObservation, report }: FlashState) =>
  phase === 'done' && ((startObservation !== null && startFailed(startObservation)) || report?.state === 'unverified');

function stateText(flash: FlashState): string {
  if (!isDoubtful(flash)) {
    return phaseText[flash.phase];
  }
  return flash.startObservation !== null && startFailed(flash.startObservation) ? 'Not running' : 'Not verified';
}

function tone(flash: FlashState) {
  switch (flash.phase) {
    case 'done':
      return isDoubtful(flash) ? 'danger' : 'success';
    case 'failed':
      return 'danger';
    case 'none':
      return 'off';
    default:
      return 'accent';
  }
}

/** Hidden as long as no place but the first is in use and that one is empty. */
export function BoardStrip() {
  const flashes = useFlasher((state) => state.flashes);
  const selected = useFlasher((state) => state.selected);
  const used = portNumbers.filter((port) => flashes[port].phase !== 'none' || port === selected);
  const first = used[0];
  const several = used.length > 1 || (first !== undefined && first !== 1);
  const ready = used.filter((port) => isWritable(flashes[port]));
  const free = portNumbers.find((port) => flashes[port].phase === 'none' && !isTerminals(port));
  const select = (port: PortNumber) => flasherStore().setState({ selected: port });
  if (!several && flashes[selected].phase === 'none') {
    return null;
  }
  return (
    <Tabs.Root className={`row ${styles['strip']}`} value={selected} onValueChange={select}>
      <Tabs.List activateOnFocus aria-label="Boards" className={styles['tabs']}>
        {used.map((port) => (
          <BoardTab key={port} port={port} flash={flashes[port]} />
        ))}
      </Tabs.List>
      {free === undefined || free === selected ? null : (
        <Button size="sm" variant="quiet" icon={<Plus />} onClick={() => select(free)}>
          Add a board
        </Button>
      )}
      {ready.length > 1 ? (
        <Button
          size="sm"
          variant={ready.some((port) => (flashes[port].plan?.toWrite ?? 0) > 0) ? 'primary' : 'default'}
          icon={<Zap />}
          className={styles['all']}
          onClick={() => {
            for (const port of ready) {
              void write(port);
            }
          }}
        >
          Write all {ready.length} boards
        </Button>
      ) : null}
    </Tabs.Root>
  );
}

const isWritable = ({ phase, plan }: FlashState) => phase === 'planned' && plan?.refusals.length === 0;

interface BoardTabProps {
  readonly port: PortNumber;
  readonly flash: FlashState;
}

function BoardTab({ port, flash }: BoardTabProps) {
  const { phase, board, progress } = flash;
  const part = phase === 'writing' && progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  const name = board === null ? `Board ${port}` : board.name;
  return (
    <Tabs.Tab value={port} className={styles['tab']}>
      <Led tone={tone(flash)} />
      <b>{name}</b>
      <span className={styles['mac']}>{board?.id?.slice(-8) ?? ''}</span>
      <span>{part === null ? stateText(flash) : `${Math.floor(part * 100)} %`}</span>
    </Tabs.Tab>
  );
}
