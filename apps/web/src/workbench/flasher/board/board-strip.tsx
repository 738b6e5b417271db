/** Several boards side by side: how far each is, and which one is looked at. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { Plus, Zap } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Led } from '../../../shared/ui/led.tsx';
import { nextMember } from '../../../shared/ui/roving-focus.ts';
import type { FlashPhase, FlashState } from '../state/flash-state.ts';
import { isTrouble } from '../state/heard.ts';
import { write } from '../store/flash-actions.ts';
import { flasherStore, useFlasher } from '../store/flasher-store.ts';
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

/** What was written does not run, or nobody could check it. */
const isDoubtful = ({ phase, heard, report }: FlashState) =>
  phase === 'done' && ((heard !== null && isTrouble(heard)) || report?.state === 'unverified');

function stateText(flash: FlashState): string {
  if (!isDoubtful(flash)) {
    return phaseText[flash.phase];
  }
  return flash.heard !== null && isTrouble(flash.heard) ? 'Not running' : 'Not verified';
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

/** Shown from the second board on. */
export function BoardStrip() {
  const flashes = useFlasher((state) => state.flashes);
  const selected = useFlasher((state) => state.selected);
  const used = portNumbers.filter((port) => flashes[port].phase !== 'none' || port === selected);
  const first = used[0];
  const several = used.length > 1 || (first !== undefined && first !== 1);
  const ready = used.filter((port) => isWritable(flashes[port]));
  const free = portNumbers.find((port) => flashes[port].phase === 'none');
  const tabs = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = nextMember(event.key, used.indexOf(selected), used.length);
    const port = index === undefined ? undefined : used[index];
    if (index !== undefined && port !== undefined) {
      event.preventDefault();
      flasherStore().setState({ selected: port });
      tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
    }
  };
  if (!several && flashes[selected].phase === 'none') {
    return null;
  }
  return (
    <div className={styles['strip']}>
      <div ref={tabs} role="tablist" aria-label="Boards" className={styles['tabs']} onKeyDown={move}>
        {used.map((port) => (
          <BoardTab key={port} port={port} flash={flashes[port]} selected={port === selected} />
        ))}
      </div>
      {free === undefined || free === selected ? null : (
        <Button size="sm" variant="quiet" icon={<Plus />} onClick={() => flasherStore().setState({ selected: free })}>
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
    </div>
  );
}

const isWritable = ({ phase, plan }: FlashState) => phase === 'planned' && plan?.refusals.length === 0;

interface BoardTabProps {
  readonly port: PortNumber;
  readonly flash: FlashState;
  readonly selected: boolean;
}

function BoardTab({ port, flash, selected }: BoardTabProps) {
  const { phase, board, progress } = flash;
  const part = phase === 'writing' && progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  const name = board === null ? `Board ${port}` : board.name;
  return (
    <button
      type="button"
      role="tab"
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      className={styles['tab']}
      onClick={() => flasherStore().setState({ selected: port })}
    >
      <Led tone={tone(flash)} />
      <b>{name}</b>
      <span className={styles['mac']}>{board?.id?.slice(-8) ?? ''}</span>
      <span>{part === null ? stateText(flash) : `${Math.floor(part * 100)} %`}</span>
    </button>
  );
}
