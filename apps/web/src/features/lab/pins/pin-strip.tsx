/**
 * Strip below the board for the selected pin: its state and its possible uses. For a locked pin it gives the reason.
 */
import type { Pull } from '@wirebench/lab';
import { Lock, TriangleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useId } from 'react';
import type { OwnedPin, PinFacts, PinUse } from '../../../protocol/lab-protocol.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { faultOf, InputFaults } from '../input-faults.tsx';
import { useDraft } from '../store/drafts.ts';
import { getLab } from '../store/lab-line.ts';
import { useLab, useLevel, usePins } from '../store/lab-store.ts';
import { tell } from '../store/run.ts';
import { Pick } from './pick.tsx';
import styles from './pin-strip.module.css';
import { directionNames, freePins, listed, ownerNames, pullNames, readLevel } from './pin-words.ts';

export function PinStrip() {
  const selected = useLab((state) => state.selected);
  const facts = usePins().find(({ gpio }) => gpio === selected);
  return (
    <section className={styles['strip']} aria-label="Selected pin">
      {facts === undefined ? <p>Choose a pin to see and set it.</p> : <Pin key={facts.gpio} facts={facts} />}
    </section>
  );
}

function Pin({ facts }: { readonly facts: PinFacts }) {
  const { gpio, rule, reason } = facts;
  const owned = useLab(({ tick }) => tick.owned.find((one) => one.gpio === gpio) ?? null);
  return (
    <>
      <div className={styles['head']}>
        <b>GPIO {gpio}</b>
        {rule === 'locked' ? <Badge icon={<Lock />}>Locked</Badge> : null}
        {rule === 'input-only' ? <Badge>Input only</Badge> : null}
        <span className={styles['look']}>
          <Look facts={facts} owned={owned} />
        </span>
      </div>
      {rule === 'locked' ? <LockedPin reason={reason} /> : null}
      {rule === 'warn' ? (
        <p className={styles['note']}>
          <TriangleAlert /> {reason}
        </p>
      ) : null}
      {rule === 'locked' ? null : owned !== null && owned.use === null ? (
        <BusPin owned={owned} />
      ) : (
        <PinUses facts={facts} use={owned?.use ?? null} />
      )}
    </>
  );
}

function BusPin({ owned: { owner, label } }: { readonly owned: OwnedPin }) {
  const searching = useLab(({ tick }) => tick.i2cWork === 'searching');
  const name = ownerNames[owner];
  return (
    <p>
      {searching && owner === 'i2c'
        ? 'Find my I2C is trying this pin. Cancel the search to use it for something else.'
        : `${name} uses this pin as ${label}. Close ${name} to use it for something else.`}
    </p>
  );
}

/** Shows owner, direction, pull and level as read from the registers. */
function Look({ facts, owned }: { readonly facts: PinFacts; readonly owned: OwnedPin | null }) {
  const look = useLab(({ tick }) => tick.looks.find(({ gpio }) => gpio === facts.gpio) ?? null);
  const high = readLevel(useLevel(facts.gpio), look);
  if (facts.rule === 'locked') {
    return null;
  }
  const parts = [
    owned === null ? 'free' : ownerNames[owned.owner],
    ...(look === null || owned?.owner === 'adc' ? [] : [directionNames[look.direction], pullNames[look.pull]]),
    ...(high === null || owned?.owner === 'adc' ? [] : [high ? 'high' : 'low']),
  ];
  return parts.join(', ');
}

function LockedPin({ reason }: { readonly reason: string }) {
  const pins = usePins();
  const owned = useLab(({ tick }) => tick.owned);
  const free = freePins(pins, owned);
  return (
    <p>
      {reason} No instrument and no register write reaches it.{free.length === 0 ? '' : ` Use ${listed(free)} instead.`}
    </p>
  );
}

const firstUses = {
  input: { kind: 'input', pull: 'none' },
  output: { kind: 'output', high: false, openDrain: false, pull: 'none' },
  pwm: { kind: 'pwm', frequency: 1_000, duty: 0.5 },
  adc: { kind: 'adc' },
} as const satisfies { readonly [Kind in PinUse['kind']]: PinUse & { kind: Kind } };

const useNames = { input: 'Input', output: 'Output', pwm: 'PWM', adc: 'Analog' } satisfies Record<
  PinUse['kind'],
  string
>;

function PinUses({ facts, use }: { readonly facts: PinFacts; readonly use: PinUse | null }) {
  const { gpio, rule, adc, pulls } = facts;
  const set = (next: PinUse) => tell(() => getLab().call('setPin', gpio, next));
  const [, setTypedOf] = useDraft(typedOf(gpio), '');
  const begin = (kind: PinUse['kind']) => {
    // Text that was typed for an earlier output of this pin does not apply to the new one.
    setTypedOf('');
    void set(firstUses[kind]);
  };
  const kinds: PinUse['kind'][] = [
    'input',
    ...(rule === 'input-only' ? [] : (['output', 'pwm'] as const)),
    ...(adc ? (['adc'] as const) : []),
  ];
  return (
    <>
      <div className={styles['uses']}>
        <fieldset className={styles['kinds']} aria-label={`Use GPIO ${gpio} as`}>
          {kinds.map((kind) => (
            <Button key={kind} size="sm" pressed={use?.kind === kind} onClick={() => begin(kind)}>
              {useNames[kind]}
            </Button>
          ))}
        </fieldset>
        {use === null ? null : (
          <Button
            size="sm"
            variant="quiet"
            className={styles['release']}
            onClick={() => void tell(() => getLab().call('releasePin', gpio))}
          >
            Release
          </Button>
        )}
      </div>
      {use?.kind === 'input' && pulls ? (
        <div className={styles['options']}>
          <PullChoice pull={use.pull} onChange={(pull) => void set({ ...use, pull })} />
        </div>
      ) : null}
      {use?.kind === 'output' ? (
        <div className={styles['options']}>
          <Segmented
            label="Level"
            value={use.high ? 'high' : 'low'}
            options={[
              { value: 'low', label: 'Low' },
              { value: 'high', label: 'High' },
            ]}
            onChange={(level) => void set({ ...use, high: level === 'high' })}
          />
          <Switch
            label="Open drain"
            checked={use.openDrain}
            onChange={(openDrain) => void set({ ...use, openDrain })}
          />
          {pulls && use.openDrain ? (
            <PullChoice pull={use.pull} onChange={(pull) => void set({ ...use, pull })} />
          ) : null}
        </div>
      ) : null}
      {use?.kind === 'pwm' ? <PwmForm gpio={gpio} use={use} onSet={(next) => void set(next)} /> : null}
      {use?.kind === 'adc' ? <p>Sampled for the plot under Analog. Not calibrated.</p> : null}
    </>
  );
}

function PullChoice({ pull, onChange }: { readonly pull: Pull; readonly onChange: (pull: Pull) => void }) {
  return (
    <Segmented
      label="Pull"
      value={pull}
      options={[
        { value: 'none', label: 'No pull' },
        { value: 'up', label: 'Up' },
        { value: 'down', label: 'Down' },
      ]}
      onChange={onChange}
    />
  );
}

interface PwmFormProps {
  readonly gpio: number;
  readonly use: PinUse & { kind: 'pwm' };
  readonly onSet: (use: PinUse) => void;
}

const percentOf = ({ duty }: PinUse & { kind: 'pwm' }) => String(Math.round(duty * 1_000) / 10);

/** Returns the draft key for the output settings at the time of typing. */
const typedOf = (gpio: number) => `pwm ${gpio} of`;

/** Returns the typed text of an output. If the output was set differently since, returns its present values. */
function usePwmDraft(gpio: number, use: PinUse & { kind: 'pwm' }) {
  const [hertz, setHertz] = useDraft(`pwm ${gpio} hertz`, '');
  const [percent, setPercent] = useDraft(`pwm ${gpio} duty`, '');
  const [of, setOf] = useDraft(typedOf(gpio), '');
  const now = `${use.frequency} ${use.duty}`;
  // True: the typed values were set from this form, in any notation.
  const isSet = of !== '' && `${Number(hertz)} ${Number(percent) / 100}` === now;
  const isTyped = of === now || isSet;
  const setHere = useEffectEvent(() => setOf(now));
  useEffect(() => {
    if (isSet) {
      setHere();
    }
  }, [isSet]);
  return {
    frequency: isTyped ? hertz : String(use.frequency),
    duty: isTyped ? percent : percentOf(use),
    type: (frequency: string, duty: string) => {
      setHertz(frequency);
      setPercent(duty);
      setOf(now);
    },
  };
}

function PwmForm({ gpio, use, onSet }: PwmFormProps) {
  const { frequency, duty, type } = usePwmDraft(gpio, use);
  const id = useId();
  const hertz = Number(frequency);
  const share = Number(duty) / 100;
  const hertzFault = frequency.trim() !== '' && hertz > 0 ? null : 'Type a frequency in Hz, such as 1000.';
  const dutyFault = duty.trim() !== '' && share >= 0 && share <= 1 ? null : 'The duty cycle is 0 to 100 %.';
  const fits = hertzFault === null && dutyFault === null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (fits) {
      onSet({ kind: 'pwm', frequency: hertz, duty: share });
    }
  };
  return (
    <form className={styles['options']} onSubmit={send}>
      <label htmlFor={`${id}-hertz`}>Hz</label>
      <TextInput
        id={`${id}-hertz`}
        mono
        inputMode="decimal"
        className={styles['number']}
        value={frequency}
        {...faultOf(hertzFault, `${id}-fault`)}
        onChange={({ currentTarget }) => type(currentTarget.value, duty)}
      />
      <label htmlFor={`${id}-duty`}>Duty %</label>
      <TextInput
        id={`${id}-duty`}
        mono
        inputMode="decimal"
        className={styles['number']}
        value={duty}
        {...faultOf(dutyFault, `${id}-fault`)}
        onChange={({ currentTarget }) => type(frequency, currentTarget.value)}
      />
      <Button type="submit" size="sm" disabled={!fits}>
        Set
      </Button>
      <InputFaults id={`${id}-fault`} faults={[hertzFault, dutyFault]} />
    </form>
  );
}

export interface PinSelectProps {
  readonly label: string;
  readonly value: number;
  readonly disabled?: boolean;
  /** True: the pin drives a wire, so input-only pins are left out. */
  readonly drives?: boolean;
  readonly onChange: (gpio: number) => void;
}

/** Select for a pin of a bus. It lists all usable pins by number. */
export function PinSelect({ drives = true, ...props }: PinSelectProps) {
  const pins = usePins().filter(({ rule }) => rule !== 'locked' && (!drives || rule !== 'input-only'));
  return (
    <Pick {...props}>
      {pins.map(({ gpio, rule }) => (
        <option key={gpio} value={gpio}>
          {gpio}
          {rule === 'warn' ? ' ⚠' : ''}
        </option>
      ))}
    </Pick>
  );
}
