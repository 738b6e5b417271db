/** Counter of the edges at a pin: their number, and the time between them. */
import type { CountedEdges, EdgePeriod } from '@wirebench/lab';
import { type CounterTick, type EdgeCounter, edgeNames } from '../../../protocol/lab-protocol.ts';
import { count as grouped } from '../../../shared/format/numbers.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import panel from '../panel.module.css';
import { PinSelect } from '../pins/pin-strip.tsx';
import { ownerNames } from '../pins/pin-words.ts';
import { chooseBus } from '../store/lab-actions.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, usePins } from '../store/lab-store.ts';
import { tell, useRun } from '../store/run.ts';
import { firstFree } from '../wires/first-free.ts';
import styles from './counter-panel.module.css';

const edgeChoices = [
  { value: 'rising', label: 'Rising' },
  { value: 'falling', label: 'Falling' },
  { value: 'both', label: 'Both' },
] as const satisfies readonly { readonly value: CountedEdges; readonly label: string }[];

export function CounterPanel() {
  const able = useLab(({ board }) => board?.countsEdges ?? true);
  return (
    <section className={panel['panel']} aria-label="Counter">
      {able ? <Counter /> : <NoCounter />}
    </section>
  );
}

function NoCounter() {
  return (
    <>
      <div className={panel['head']}>
        <h2>Counter</h2>
        <span className={panel['facts']}>not on this chip</span>
      </div>
      <p className={panel['note']}>
        The ESP32-C3 has no pulse counter. To see edges and their times, capture the pin with the program in RAM, under
        Capture.
      </p>
    </>
  );
}

function Counter() {
  const pins = usePins();
  const owned = useLab(({ tick }) => tick.owned);
  const open = useLab(({ tick }) => tick.counter);
  const chosen = useLab(({ buses }) => buses.counter);
  const { busy, run } = useRun();
  const [pin = 0] = firstFree(pins, owned, [4], 1);
  const counter: EdgeCounter = open ?? chosen ?? { pin, edges: 'rising' };
  const { edges } = counter;
  const owner = owned.find(({ gpio }) => gpio === counter.pin)?.owner ?? null;
  const change = (next: Partial<EdgeCounter>) => {
    const other = { pin: counter.pin, edges, ...next };
    chooseBus({ counter: other });
    if (open !== null) {
      void tell(() => getLab().call('openCounter', other));
    }
  };
  const toggle = () =>
    run(() =>
      open === null ? getLab().call('openCounter', { pin: counter.pin, edges }) : getLab().call('closeCounter'),
    );
  return (
    <>
      <div className={panel['head']}>
        <h2>Counter</h2>
        <span className={panel['facts']}>{open === null ? 'not open' : `GPIO ${open.pin} · ${edgeNames[edges]}`}</span>
        <span className={`row tight ${panel['end']}`}>
          {open === null ? null : (
            <Button size="sm" variant="quiet" onClick={() => void tell(() => getLab().call('resetCounter'))}>
              Reset
            </Button>
          )}
          <Button size="sm" variant={open === null ? 'default' : 'quiet'} busy={busy} onClick={() => void toggle()}>
            {open === null ? 'Count' : 'Close'}
          </Button>
        </span>
      </div>
      <div className={panel['body']}>
        <div className={`${panel['form']} ${panel['line']}`}>
          <PinSelect label="GPIO" drives={false} value={counter.pin} onChange={(gpio) => change({ pin: gpio })} />
          <Segmented
            label="Edges"
            value={edges}
            options={[...edgeChoices]}
            onChange={(one) => change({ edges: one })}
          />
        </div>
        {open === null ? null : <Figures counter={open} />}
        <p className={panel['note']}>
          {owner === null || owner === 'counter'
            ? 'The pin is an input without pulls while it is counted.'
            : `The pin stays as it is set: ${ownerNames[owner]}. It is only listened to.`}{' '}
          {open === null ? 'Any pin can be counted, also one that another instrument drives.' : ''}
        </p>
      </div>
    </>
  );
}

/** Formats a frequency or a time with its unit and its uncertainty. Digits beyond the uncertainty are not written. */

interface Quantity {
  /** Number as text: `1.00000`. */
  readonly value: string;
  /** In the same unit: `0.00001`. */
  readonly uncertainty: string;
  readonly unit: string;
}

type Scale = readonly (readonly [unit: string, size: number])[];

/** Sorted from the largest unit. */
const times: Scale = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
];
const frequencies: Scale = [
  ['MHz', 1e6],
  ['kHz', 1e3],
  ['Hz', 1],
];
/** Maximum number of decimals. */
const maxDecimals = 9;

/** @param uncertainty In nanoseconds, above 0. */
export function timeOf(nanoseconds: number, uncertainty: number): Quantity {
  return quantityOf(nanoseconds, uncertainty, times);
}

/**
 * Formats the frequency of a period, which is in nanoseconds.
 * @param uncertainty Uncertainty of the period in nanoseconds, above 0.
 */
export function frequencyOf(period: number, uncertainty: number): Quantity {
  const hertz = 1e9 / period;
  return quantityOf(hertz, (hertz * uncertainty) / period, frequencies);
}

function quantityOf(value: number, uncertainty: number, scale: Scale): Quantity {
  const [unit, size] = scale.find(([, least]) => value >= least) ?? scale.at(-1) ?? ['', 1];
  const scaled = uncertainty / size;
  // The uncertainty has one digit and is rounded up, so that it is never understated.
  const decimals = Math.min(maxDecimals, Math.max(0, Math.ceil(-Math.log10(scaled))));
  const step = 10 ** -decimals;
  return {
    value: (value / size).toFixed(decimals),
    uncertainty: (Math.ceil(scaled / step - 1e-9) * step).toFixed(decimals),
    unit,
  };
}

function Figures({ counter: { edges, count, isPartial, period, isTimed } }: { readonly counter: CounterTick }) {
  const quiet = isTimed && period === null;
  return (
    <>
      <dl className={styles['figures']}>
        <div>
          <dt className="silk">Count</dt>
          <dd>
            <b>{grouped(count)}</b> {edgeNames[edges]}
            {isPartial ? <Badge tone="warning">At least</Badge> : null}
          </dd>
        </div>
        <Figure name="Frequency" quantity={period && frequencyOf(period.mean, period.resolution)} />
        <Figure name="Period" quantity={period && timeOf(period.mean, period.resolution)} />
      </dl>
      {isPartial ? (
        <p className={panel['note']} role="status">
          More edges came between two reads than the chip’s counter holds: there were more than these. Reset to count on
          from 0.
        </p>
      ) : null}
      <p className={panel['note']}>
        {quiet
          ? 'No period: fewer than two rising edges in a second, or a level that lasts longer than 0.2 s. The count goes on.'
          : period === null
            ? 'Measuring the period …'
            : `${spreadOf(period)}± is the chip’s own tick; its crystal is off by some 0.001 to 0.005 % besides.`}
      </p>
    </>
  );
}

function Figure({ name, quantity }: { readonly name: string; readonly quantity: Quantity | null }) {
  return (
    <div>
      <dt className="silk">{name}</dt>
      <dd>
        {quantity === null ? (
          <b>–</b>
        ) : (
          <>
            <b>{quantity.value}</b> {quantity.unit} <span>± {quantity.uncertainty}</span>
          </>
        )}
      </dd>
    </div>
  );
}

/**
 * Describes the spread of periods that differ. A spread of two ticks comes from the measurement itself, so it is not
 * reported.
 */
function spreadOf({ mean, tick, shortest, longest }: EdgePeriod): string {
  const spread = longest - shortest;
  const isSteady = spread <= Math.max(2 * tick, mean / 100);
  const said = (nanoseconds: number) => {
    const { value, unit } = timeOf(nanoseconds, spread / 10);
    return `${value} ${unit}`;
  };
  return isSteady ? '' : `Periods differ, from ${said(shortest)} to ${said(longest)}; above is their mean. `;
}
