/** Strip of the boards: a tab for each with its state and facts, and what can be done with the board in view. */

import { Tabs } from '@base-ui/react/tabs';
import { allFamilies, families, familyTraits } from '@wirebench/boards';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import {
  ChevronDown,
  ClipboardCopy,
  Download,
  Ellipsis,
  Plug,
  PlugZap,
  Plus,
  RotateCcw,
  Share2,
  Unplug,
  Zap,
} from 'lucide-react';
import { use, useRef, useState } from 'react';
import { goTo } from '../../../shared/app-navigation.ts';
import { hasServer } from '../../../shared/edition.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Led } from '../../../shared/ui/led.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import type { ConnectedBoard } from '../../../workbench/families.ts';
import { VisitPlaceContext } from '../../../workbench/release/visit-place.ts';
import { ShareButton } from '../../../workbench/sharing/share-button.tsx';
import { showShareDialog } from '../../../workbench/sharing/sharing-store.ts';
import { type FlashPhase, type FlashState, isBusy, isReady } from '../state/flash-state.ts';
import { startFailed } from '../state/start-observation.ts';
import { disconnect, plugDemo, restart, writeByItself } from '../store/flash-actions.ts';
import { flasherStore, pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { isTerminals } from '../store/port-owners.ts';
import { copyReceipt, saveReceipt, useReceipts } from '../store/receipt-actions.ts';
import type { BoardDescription } from './board-description.ts';
import { BoardFacts } from './board-facts.tsx';
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
  running: 'Runs its program',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Stopped',
} satisfies Record<FlashPhase, string>;

/** Returns true if the written program does not run, or if the write could not be verified. */
const isDoubtful = ({ phase, startObservation, report, emptied }: FlashState) =>
  phase === 'done' &&
  emptied === null &&
  ((startObservation !== null && startFailed(startObservation)) || report?.state === 'unverified');

function stateText(flash: FlashState): string {
  const { phase, startObservation, progress, emptied } = flash;
  if (phase === 'done' && emptied !== null) {
    return 'Empty';
  }
  if (isDoubtful(flash)) {
    return startObservation !== null && startFailed(startObservation) ? 'Not running' : 'Not verified';
  }
  return phase === 'writing' && progress !== null && progress.total > 0
    ? `Writing ${Math.floor((100 * progress.done) / progress.total)} %`
    : phaseText[phase];
}

function tone(flash: FlashState) {
  switch (flash.phase) {
    case 'done':
      return isDoubtful(flash) ? 'danger' : 'success';
    case 'detected':
    case 'planned':
      return 'success';
    case 'failed':
      return 'danger';
    case 'none':
    case 'cancelled':
      return 'off';
    default:
      return 'accent';
  }
}

export interface BoardStripProps {
  readonly describe: (board: ConnectedBoard) => BoardDescription;
  /** True: narrow, for the page of a release. Its place is kept before a board is connected. */
  readonly narrow: boolean;
}

/**
 * Drawn once a board is connected or connecting, or if another place than the first is in use. On the page of a release
 * the actions are in one menu, as in a small window.
 */
export function BoardStrip({ describe, narrow }: BoardStripProps) {
  const isInPlace = use(VisitPlaceContext) !== null;
  const flashes = useFlasher((state) => state.flashes);
  const selected = useFlasher((state) => state.selected);
  const used = portNumbers.filter((port) => flashes[port].phase !== 'none' || port === selected);
  const first = used[0];
  const several = used.length > 1 || (first !== undefined && first !== 1);
  const free = portNumbers.find((port) => flashes[port].phase === 'none' && !isTerminals(port));
  const isSmall = useMediaQuery('(max-width: 599px)') || isInPlace;
  const select = (port: PortNumber) => flasherStore().setState({ selected: port });
  if (!several && flashes[selected].phase === 'none') {
    return narrow && !isInPlace ? <div className={styles['strip']} aria-hidden="true" /> : null;
  }
  const canAdd = free !== undefined && free !== selected;
  const add = () => canAdd && select(free);
  return (
    <section className={styles['strip']} aria-label="Board">
      <Tabs.Root
        className={classNames(styles['in'], narrow && styles['narrow'], isInPlace && styles['inPlace'])}
        style={{ gridTemplateColumns: `repeat(${used.length}, minmax(0, auto)) auto minmax(0, 1fr)` }}
        value={selected}
        onValueChange={select}
      >
        <Tabs.List activateOnFocus aria-label="Boards" className={styles['tabs']}>
          {used.map((port, index) => (
            <BoardTab key={port} port={port} column={index + 1} flash={flashes[port]} selected={port === selected} />
          ))}
        </Tabs.List>
        <Facts column={used.indexOf(selected) + 1} describe={describe} />
        {canAdd && !isSmall ? (
          <Button size="sm" variant="quiet" icon={<Plus />} className={styles['add']} onClick={add}>
            Add a board
          </Button>
        ) : (
          <span />
        )}
        <div className={styles['actions']}>
          <WriteAll used={used} />
          {isSmall ? <SmallActions onAdd={canAdd ? add : null} /> : <Actions />}
          {isSmall || narrow ? null : <FamilyMenu />}
        </div>
      </Tabs.Root>
    </section>
  );
}

const isWritable = ({ phase, plan }: FlashState) => phase === 'planned' && plan?.refusals.length === 0;

/** Writes every board whose plan can be carried out. Drawn for two or more. */
function WriteAll({ used }: { readonly used: readonly PortNumber[] }) {
  const flashes = useFlasher((state) => state.flashes);
  const ready = used.filter((port) => isWritable(flashes[port]));
  return ready.length < 2 ? null : (
    <Button
      size="sm"
      icon={<Zap />}
      onClick={() => {
        for (const port of ready) {
          void writeByItself(port);
        }
      }}
    >
      Write all {ready.length} boards
    </Button>
  );
}

interface BoardTabProps {
  readonly port: PortNumber;
  readonly column: number;
  readonly flash: FlashState;
  readonly selected: boolean;
}

function BoardTab({ port, column, flash, selected }: BoardTabProps) {
  const { phase, board, progress } = flash;
  const part = phase === 'writing' && progress !== null && progress.total > 0 ? progress.done / progress.total : null;
  const name = board?.name ?? `Board ${port}`;
  const state = stateText(flash);
  return (
    <Tabs.Tab
      value={port}
      data-port={port}
      style={{ gridColumn: column }}
      className={classNames(styles['tab'], selected && styles['selected'])}
    >
      <PortFlag port={port} off={phase === 'none'} />
      <span className={styles['name']}>
        <b>{name}</b>
        <span className={styles['state']}>
          <Led tone={tone(flash)} />
          {state}
        </span>
      </span>
      {/* Boards of one kind differ only in the id, which the line of facts shows for the selected one. */}
      <span className={selected ? 'visually-hidden' : styles['id']}>{board?.id?.slice(-8) ?? ''}</span>
      {part === null && phase !== 'done' ? null : (
        <i
          className={styles['part']}
          data-done={phase === 'done' || undefined}
          style={{ width: `${100 * (part ?? 1)}%` }}
        />
      )}
    </Tabs.Tab>
  );
}

interface FactsProps extends Pick<BoardStripProps, 'describe'> {
  readonly column: number;
}

/** Second line of the selected tab: chip, flash, id, and the other facts in a popover. */
function Facts({ column, describe }: FactsProps) {
  const board = useFlash((flash) => flash.board);
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  if (board === null) {
    return null;
  }
  const { size } = board.flash;
  const description = describe(board);
  // An exact model decides what can be written; elsewhere the kind of bootloader or the product id does.
  const kind = familyTraits[board.family].hasExactModels ? null : description.subtitle;
  const line = [kind, size === null ? null : memoryText(size), board.id].filter((part) => part !== null).join(' · ');
  return (
    <span className={`row ${styles['line']}`} style={{ gridColumn: column }}>
      <button
        ref={anchor}
        type="button"
        className={styles['facts']}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles['values']}>{line}</span>
        <span className={styles['word']}>
          More<span className="visually-hidden"> about this board</span>
        </span>
        <ChevronDown />
      </button>
      {board.demo ? <Badge tone="info">Demo</Badge> : null}
      <BoardFacts open={open} onClose={() => setOpen(false)} anchor={anchor} board={board} description={description} />
    </span>
  );
}

interface BoardMeans {
  readonly restart: (() => void) | null;
  readonly disconnect: (() => void) | null;
  /** Pulls or inserts the simulated plug of a demo board; null for a real board. */
  readonly plug: (() => void) | null;
  readonly plugged: boolean;
}

/** Returns the actions that the board can do now. Others are null and not drawn. */
function useBoardMeans(): BoardMeans {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  // A write has left it in its bootloader.
  const stays = useFlash((flash) => flash.phase === 'done' && flash.holdsPort);
  const lost = useFlash(({ failure }) => failure?.code === 'unplugged' || failure?.code === 'port-gone');
  // The plug of a shared demo board is in another page, so it has no button.
  const isHere = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  const plugged = useBenchStatus(({ devices }) => devices[port]?.plugged ?? true);
  const isUsed = useBenchStatus(({ users }) => users[port] !== null);
  const busy = isBusy({ phase });
  const known = board !== null && phase !== 'none';
  return {
    restart: isReady({ phase }) || stays ? () => void restart(port) : null,
    disconnect: known && !busy && !isUsed && !(phase === 'failed' && lost) ? () => void disconnect(port) : null,
    plug: known && board.demo && isHere ? () => void plugDemo(port, !plugged) : null,
    plugged,
  };
}

function Actions() {
  const { restart: again, disconnect: leave, plug, plugged } = useBoardMeans();
  return (
    <>
      {again === null ? null : (
        <Button
          size="sm"
          variant="quiet"
          icon={<RotateCcw />}
          aria-label="Restart the board and open the monitor"
          title="Restart the board and open the monitor"
          onClick={again}
        >
          <span className={styles['words']}>Restart</span>
        </Button>
      )}
      {leave === null ? null : (
        <Button size="sm" variant="quiet" icon={<Unplug />} title="Disconnect" onClick={leave}>
          <span className={styles['words']}>Disconnect</span>
        </Button>
      )}
      <BoardMenu items={useBoardItems()} />
      {plug === null ? null : (
        <>
          <span className={styles['rule']} />
          <Button size="sm" variant="quiet" icon={plugged ? <Plug /> : <PlugZap />} onClick={plug}>
            <span className={styles['words']}>{plugText(plugged)}</span>
          </Button>
        </>
      )}
    </>
  );
}

/** The plug of a demo board is no control of real boards, so it says so. */
const plugText = (plugged: boolean) => (plugged ? 'Unplug the demo' : 'Plug in again');

/** Returns the items that the board's menu has in windows of all sizes: sharing, the receipt, what follows a write. */
function useBoardItems(): readonly BoardItem[] {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const listens = useFlash(({ board }) => board === null || board.console !== null);
  const after = useFlasher(({ settings }) => settings.afterWrite);
  const batchMode = useFlasher((state) => state.batchMode);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const isWriting = phase === 'writing' || phase === 'restarting';
  const acts = [
    ...(hasServer && !isWriting
      ? [{ label: 'Share board', icon: <Share2 />, onSelect: () => showShareDialog('toolbar') }]
      : []),
    ...(receipt === null
      ? []
      : [
          { label: 'Copy receipt', icon: <ClipboardCopy />, onSelect: () => void copyReceipt(receipt) },
          { label: 'Save receipt', icon: <Download />, onSelect: () => void saveReceipt(receipt) },
        ]),
  ];
  const choices = (batchMode ? [] : afterWrites)
    .filter(({ value }) => listens || value !== 'monitor')
    .map(({ value, label }) => ({
      label,
      checked: value === after || (!listens && after === 'monitor' && value === 'restart'),
      onSelect: () => flasherStore().setState(({ settings }) => ({ settings: { ...settings, afterWrite: value } })),
    }));
  return [...acts, ...(acts.length > 0 && choices.length > 0 ? (['separator'] as const) : []), ...choices];
}

const afterWrites = [
  { value: 'monitor', label: 'After writing: restart, open the monitor' },
  { value: 'restart', label: 'After writing: restart only' },
  { value: 'bootloader', label: 'After writing: leave in the bootloader' },
] as const;

type BoardItem = MenuAction | 'separator';

function BoardMenu({ items }: { readonly items: readonly BoardItem[] }) {
  return (
    <>
      <span className={styles['away']}>
        <ShareButton place="toolbar" label="Share board" />
      </span>
      {items.length === 0 ? null : (
        <Menu
          align="end"
          items={items}
          trigger={(props) => <IconButton {...props} label="More actions" variant="quiet" icon={<Ellipsis />} />}
        />
      )}
    </>
  );
}

const familyItems = (): MenuAction[] =>
  allFamilies.map(({ name, page, experimental }) => ({
    label: experimental ? `${name} (experimental)` : name,
    checked: page === families[pageFamily().name].page,
    onSelect: () => goTo(page),
  }));

/** On a phone, everything is behind one button. */
function SmallActions({ onAdd }: { readonly onAdd: (() => void) | null }) {
  const { restart: again, disconnect: leave, plug, plugged } = useBoardMeans();
  const items: BoardItem[] = [
    ...(again === null ? [] : [{ label: 'Restart', icon: <RotateCcw />, onSelect: again }]),
    ...(leave === null ? [] : [{ label: 'Disconnect', icon: <Unplug />, onSelect: leave }]),
    ...(onAdd === null ? [] : [{ label: 'Add a board', icon: <Plus />, onSelect: onAdd }]),
    ...useBoardItems(),
    ...(plug === null ? [] : (['separator', { label: plugText(plugged), icon: <Plug />, onSelect: plug }] as const)),
    'separator',
    ...familyItems(),
  ];
  return <BoardMenu items={items} />;
}

/** The family, and a menu of all families. */
function FamilyMenu() {
  const { name, experimental } = families[pageFamily().name];
  return (
    <>
      <span className={styles['rule']} />
      {experimental ? <Badge tone="warning">Experimental</Badge> : null}
      <Menu
        align="end"
        items={familyItems()}
        trigger={(props) => (
          <Button {...props} size="sm" variant="quiet" aria-label={`Family: ${name}`}>
            {name}
            <ChevronDown />
          </Button>
        )}
      />
    </>
  );
}
