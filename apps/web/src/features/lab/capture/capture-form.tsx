/** Form for a capture: pins, rate, number of samples, and trigger. */
import { useState } from 'react';
import type { CaptureOrder, CaptureTrigger, ProgramFacts } from '../../../protocol/lab-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useCaptureOffered, useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { useLab, usePins } from '../store/lab-store.ts';
import { cancelProgram } from '../store/program.ts';
import { useRun } from '../store/run.ts';
import {
  type CaptureSettings,
  type CaptureStart,
  choose,
  maxPins,
  sameBank,
  startOf,
  take,
  useCapture,
  usualPins,
} from './capture-store.ts';
import styles from './capture-view.module.css';
import { Choice } from './decoder-forms.tsx';
import { TransferForm } from './transfer-form.tsx';

const rates = [2_000_000, 1_000_000, 500_000, 200_000, 100_000, 50_000, 20_000, 10_000, 1_000];
const amounts = [1_000, 4_000, 10_000, 30_000];

const starts = {
  immediate: 'At once',
  level: 'At a level',
  edge: 'At an edge',
  change: 'At any change',
  transfer: 'At an I2C transfer',
} satisfies Record<CaptureStart, string>;

export function CaptureForm({ program }: { readonly program: ProgramFacts }) {
  const owned = useLab(({ tick }) => tick.owned);
  const capturing = useLab(({ tick }) => tick.capturing);
  const i2c = useLab(({ tick, buses }) => tick.i2c ?? buses.i2c);
  const settings = useCapture((state) => state.settings);
  const { busy, run } = useRun();
  const chosen = settings.pins ?? usualPins({ owned });
  const start = startOf(settings, chosen, i2c);
  const byTransfer = start === 'transfer';
  const variant = useStepVariant('capture');
  useCaptureOffered(!byTransfer);
  const isUnderWay = busy || capturing !== null;
  return (
    <>
      <PinChoice chosen={chosen} />
      <div className={panel['form']}>
        <Choice
          label="Begin"
          value={start}
          options={Object.entries(starts).map(([value, label]) => ({
            value: value as CaptureStart,
            label,
          }))}
          onChange={(next) => choose({ start: next })}
        />
        {byTransfer ? null : <Amounts start={start} longest={program.longestCapture} chosen={chosen} />}
        {byTransfer ? null : (
          <Button
            variant={variant}
            busy={isUnderWay}
            disabled={chosen.length === 0}
            onClick={() => void run(() => take(orderOf({ ...settings, start }, chosen, program)))}
          >
            Capture
          </Button>
        )}
        {byTransfer ? <TransferForm pins={chosen} busy={isUnderWay} run={run} /> : null}
        {capturing === null ? null : <Button onClick={() => void cancelProgram()}>Cancel</Button>}
      </div>
      <p role="status" className={capturing === null ? 'visually-hidden' : panel['note']}>
        {capturing === 'trigger' ? 'Waiting for the trigger. The other instruments stand still until it comes.' : null}
        {capturing === 'transfer' ? 'Waiting for the next transfer on the I2C bus.' : null}
      </p>
    </>
  );
}

type StartedSettings = CaptureSettings & { readonly start: CaptureStart };

function orderOf(settings: StartedSettings, pins: readonly number[], { longestCapture }: ProgramFacts): CaptureOrder {
  const samples = Math.min(settings.samples, longestCapture);
  const trigger = triggerOf(settings, pins);
  const before = trigger.kind === 'immediate' ? 0 : Math.floor((samples * settings.before) / 100);
  return { pins, samples, before, rate: settings.rate, trigger };
}

function triggerOf({ start, triggerPin, triggerHigh }: StartedSettings, pins: readonly number[]): CaptureTrigger {
  const pin = triggerPin !== null && pins.includes(triggerPin) ? triggerPin : (pins[0] ?? 0);
  switch (start) {
    case 'level':
    case 'edge':
      return { kind: start, pin, high: triggerHigh };
    case 'change':
      return { kind: 'change', pin };
    default:
      return { kind: 'immediate' };
  }
}

interface AmountsProps {
  readonly start: CaptureStart;
  readonly longest: number;
  readonly chosen: readonly number[];
}

function Amounts({ start, longest, chosen }: AmountsProps) {
  const { triggerPin, triggerHigh, rate, samples, before } = useCapture((state) => state.settings);
  const pin = triggerPin !== null && chosen.includes(triggerPin) ? triggerPin : (chosen[0] ?? 0);
  return (
    <>
      {start === 'immediate' ? null : (
        <Choice
          label="Pin"
          value={pin}
          options={chosen.map((gpio) => ({ value: gpio, label: String(gpio) }))}
          onChange={(gpio) => choose({ triggerPin: gpio })}
        />
      )}
      {start === 'level' || start === 'edge' ? (
        <Choice
          label={start === 'level' ? 'Level' : 'Edge'}
          value={triggerHigh ? 'high' : 'low'}
          options={[
            { value: 'low', label: start === 'level' ? 'low' : 'falling' },
            { value: 'high', label: start === 'level' ? 'high' : 'rising' },
          ]}
          onChange={(level) => choose({ triggerHigh: level === 'high' })}
        />
      ) : null}
      {start === 'immediate' ? null : (
        <Choice
          label="Before it"
          value={before}
          options={[0, 10, 50, 90].map((part) => ({ value: part, label: `${part} %` }))}
          onChange={(part) => choose({ before: part })}
        />
      )}
      <Choice
        label="Rate"
        value={rate}
        options={[
          { value: null, label: 'fastest' },
          ...rates.map((one) => ({ value: one, label: one >= 1e6 ? `${one / 1e6} MS/s` : `${one / 1e3} kS/s` })),
        ]}
        onChange={(next) => choose({ rate: next })}
      />
      <Choice
        label="Samples"
        value={Math.min(samples, longest)}
        options={[...new Set([...amounts.filter((amount) => amount <= longest), longest])].map((amount) => ({
          value: amount,
          label: String(amount),
        }))}
        onChange={(amount) => choose({ samples: amount })}
      />
    </>
  );
}

/**
 * Toggle buttons, one for each pin. Pins of the other input register are disabled, because one capture reads one
 * register.
 */
function PinChoice({ chosen }: { readonly chosen: readonly number[] }) {
  const pins = usePins().filter(({ rule }) => rule !== 'locked');
  const owned = useLab(({ tick }) => tick.owned);
  const [open, setOpen] = useState(false);
  const shown = open || chosen.length === 0 ? pins : pins.filter(({ gpio }) => chosen.includes(gpio));
  const toggle = (gpio: number) =>
    choose({
      pins: chosen.includes(gpio)
        ? chosen.filter((one) => one !== gpio)
        : [...chosen, gpio].toSorted((one, other) => one - other),
    });
  const [first] = chosen;
  const isFull = chosen.length >= maxPins;
  return (
    <fieldset className={styles['pins']} aria-label="Pins to capture">
      {shown.map(({ gpio }) => {
        const label = owned.find((one) => one.gpio === gpio)?.label;
        const on = chosen.includes(gpio);
        return (
          <Button
            key={gpio}
            size="sm"
            pressed={on}
            aria-label={label === undefined ? `GPIO ${gpio}` : `GPIO: ${label} ${gpio}`}
            disabled={!on && (isFull || (first !== undefined && !sameBank(gpio, first)))}
            onClick={() => toggle(gpio)}
          >
            {label === undefined ? gpio : `${label} ${gpio}`}
          </Button>
        );
      })}
      {chosen.length === 0 ? null : (
        <Button size="sm" variant="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Done' : 'Choose pins'}
        </Button>
      )}
      {open && pins.some(({ gpio }) => gpio >= 32) ? (
        <span className={styles['hint']}>At most {maxPins}, all below GPIO 32 or all from 32 on.</span>
      ) : null}
      {chosen.length === 0 ? <span className={styles['hint']}>Choose the pins to capture.</span> : null}
    </fieldset>
  );
}
