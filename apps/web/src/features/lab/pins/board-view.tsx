/**
 * The board with its live pins. The whole board is one stop of the Tab key: arrow keys move along a side and across.
 */
import { Lock, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import type { LabBoard, OwnedPin, PinFacts } from '../../../protocol/lab-protocol.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { selectPin } from '../store/lab-actions.ts';
import { useLab, useLevel } from '../store/lab-store.ts';
import styles from './board-view.module.css';
import { type BoardLayout, type BoardPad, boards, neighbour } from './boards.ts';
import { ownerPort, pinLabel, readLevel } from './pin-words.ts';

export const pinsId = 'lab-pins';

export function BoardView({ board }: { readonly board: LabBoard }) {
  const layout: BoardLayout = boards[board.chip];
  const selected = useLab((state) => state.selected);
  const root = useRef<HTMLDivElement>(null);
  const stop = selected ?? firstGpio(layout);
  const walk = (event: KeyboardEvent) => {
    const next = stop === null ? undefined : neighbour(layout, stop, event.key);
    if (next !== undefined) {
      event.preventDefault();
      selectPin(next);
      root.current?.querySelector<HTMLElement>(`[data-gpio="${next}"]`)?.focus();
    }
  };
  const side = (name: 'left' | 'right') =>
    layout[name].map((pad, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pads have no other name that is theirs alone, and never move.
      <Pad key={row} pad={pad} side={name} pins={board.pins} stop={stop} />
    ));
  return (
    <div
      ref={root}
      id={pinsId}
      className={styles['board']}
      role="radiogroup"
      aria-label={`Pins of the ${layout.name}`}
      onKeyDown={walk}
    >
      <BoardDrawing layout={layout} />
      <div className={styles['side']}>{side('left')}</div>
      <div className={classNames(styles['side'], styles['right'])}>{side('right')}</div>
    </div>
  );
}

const firstGpio = ({ left }: BoardLayout) => left.find(({ gpio }) => gpio !== null)?.gpio ?? null;

interface PadProps {
  readonly pad: BoardPad;
  readonly side: 'left' | 'right';
  readonly pins: readonly PinFacts[];
  /** GPIO that receives the focus of the Tab key. */
  readonly stop: number | null;
}

function Pad({ pad, side, pins, stop }: PadProps) {
  const facts = pins.find(({ gpio }) => gpio === pad.gpio);
  return facts === undefined ? (
    <div className={classNames(styles['pad'], styles[side])} aria-hidden="true">
      <i className={styles['ring']} />
      <span className={styles['name']}>{pad.name}</span>
    </div>
  ) : (
    <PinPad facts={facts} name={pad.name} side={side} stop={stop} />
  );
}

interface PinPadProps {
  readonly facts: PinFacts;
  readonly name: string;
  readonly side: 'left' | 'right';
  readonly stop: number | null;
}

function PinPad({ facts, name, side, stop }: PinPadProps) {
  const { gpio, rule } = facts;
  const selected = useLab((state) => state.selected === gpio);
  const owned = useLab(({ tick }) => tick.owned.find((one) => one.gpio === gpio) ?? null);
  const look = useLab(({ tick }) => tick.looks.find((one) => one.gpio === gpio) ?? null);
  const high = readLevel(useLevel(gpio), look);
  const locked = rule === 'locked';
  const own = name === String(gpio) ? '' : `${name} `;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a pin has parts of its own, which a radio button cannot hold.
    <button
      type="button"
      role="radio"
      aria-checked={selected}
      aria-label={pinLabel({ facts, owned, look, high })}
      tabIndex={stop === gpio ? 0 : -1}
      data-gpio={gpio}
      data-port-colour={owned === null ? undefined : ownerPort[owned.owner]}
      data-owned={owned === null ? undefined : ''}
      className={classNames(
        styles['pad'],
        styles[side],
        styles['pin'],
        selected && styles['selected'],
        locked && styles['locked'],
      )}
      onClick={() => selectPin(gpio)}
    >
      <i className={styles['ring']} />
      <span className={styles['name']}>{name}</span>
      {locked ? <Lock className={styles['lock']} /> : <Level owned={owned} high={high} />}
      {locked ? <i /> : <Direction look={look?.direction ?? 'off'} />}
      <span className={styles['label']}>
        {owned === null ? (locked ? own : '') : `${owned.label} `}
        {gpio}
        {rule === 'warn' ? <TriangleAlert /> : null}
      </span>
    </button>
  );
}

function Level({ owned, high }: { readonly owned: OwnedPin | null; readonly high: boolean | null }) {
  const kind =
    owned?.owner === 'adc' || owned?.owner === 'pwm' ? owned.owner : high === null ? 'unread' : high ? 'high' : 'low';
  return (
    <i className={styles['level']} data-level={kind}>
      {kind === 'pwm' ? (
        <svg viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1.5 7.5v-5h2.6v5h3.2v-5" />
        </svg>
      ) : null}
    </i>
  );
}

/** Arrows for the left side. The right side mirrors them. */
const arrows = {
  in: 'M2 5h11M10 2l3 3-3 3',
  out: 'M2 5h11M5 2l-3 3 3 3',
  both: 'M2 5h11M10 2l3 3-3 3M5 2l-3 3 3 3',
  off: '',
};

function Direction({ look }: { readonly look: keyof typeof arrows }) {
  return (
    <svg className={styles['arrow']} viewBox="0 0 15 10" aria-hidden="true">
      <path d={arrows[look]} />
    </svg>
  );
}

function BoardDrawing({ layout }: { readonly layout: BoardLayout }) {
  const [chip, name] = layout.module;
  return (
    <div className={styles['pcb']} aria-hidden="true">
      <svg viewBox="0 0 66 116" className={styles['module']} aria-hidden="true">
        <rect x="0.5" y="0.5" width="65" height="115" rx="2" />
        <path d="M7 24V8h52M13 8v12h10V8M33 8v12h10V8M53 8v12h6V8" />
        <text x="33" y="60" className={styles['chip']}>
          {chip}
        </text>
        <text x="33" y="75">
          {name}
        </text>
      </svg>
      <div className={styles['buttons']}>
        {layout.buttons.map((name) => (
          <span key={name}>
            {name}
            <i />
          </span>
        ))}
      </div>
      <i className={styles['usb']} />
    </div>
  );
}
