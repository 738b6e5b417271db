/** Forms for the decoders: the protocol, and the lanes that it reads. */
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { addDecoder, type Captured, setDecoder, useCapture } from './capture-store.ts';
import styles from './capture-view.module.css';
import type { Decoder } from './decoding.ts';

const rates = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600];

const names = { i2c: 'I2C', uart: 'UART', spi: 'SPI' } satisfies Record<Decoder['kind'], string>;

export function DecoderForms({ captured }: { readonly captured: Captured }) {
  const decoders = useCapture((state) => state.decoders);
  const pins = captured.lanes.map(({ gpio }) => gpio);
  const [first = 0, second = first, third] = pins;
  const fresh: Readonly<Record<Decoder['kind'], Decoder>> = {
    i2c: { kind: 'i2c', sda: first, scl: second },
    uart: { kind: 'uart', pin: first, baudRate: 115_200, parity: 'none', dataBits: 8 },
    spi: { kind: 'spi', clk: first, mosi: second, miso: third ?? null, cs: pins[3] ?? null, mode: 0 },
  };
  return (
    <fieldset className={styles['decoders']} aria-label="Decoders">
      {decoders.map((decoder, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a decoder is its place; it has no other name.
        <DecoderForm key={index} decoder={decoder} index={index} captured={captured} />
      ))}
      <div className={styles['add']}>
        <span className="silk">Decode</span>
        {(['i2c', 'uart', 'spi'] as const).map((kind) => (
          <Button
            key={kind}
            size="sm"
            variant="quiet"
            icon={<Plus />}
            aria-label={`Decode ${names[kind]}`}
            disabled={kind !== 'uart' && pins.length < 2}
            onClick={() => addDecoder(fresh[kind])}
          >
            {names[kind]}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}

interface DecoderFormProps {
  readonly decoder: Decoder;
  readonly index: number;
  readonly captured: Captured;
}

function DecoderForm({ decoder, index, captured }: DecoderFormProps) {
  const set = (next: Decoder) => setDecoder(index, next);
  const lanes = captured.lanes.map(({ gpio, label }) => ({ value: gpio, label }));
  return (
    <div className={styles['decoder']}>
      <b>{names[decoder.kind]}</b>
      {decoder.kind === 'i2c' ? (
        <>
          <Choice label="SDA" value={decoder.sda} options={lanes} onChange={(sda) => set({ ...decoder, sda })} />
          <Choice label="SCL" value={decoder.scl} options={lanes} onChange={(scl) => set({ ...decoder, scl })} />
        </>
      ) : null}
      {decoder.kind === 'uart' ? <UartChoices decoder={decoder} lanes={lanes} onChange={set} /> : null}
      {decoder.kind === 'spi' ? <SpiChoices decoder={decoder} lanes={lanes} onChange={set} /> : null}
      <IconButton
        size="sm"
        variant="quiet"
        label={`Stop decoding ${names[decoder.kind]}`}
        icon={<X />}
        onClick={() => setDecoder(index, null)}
      />
    </div>
  );
}

interface ChoicesProps<Kind extends Decoder['kind']> {
  readonly decoder: Extract<Decoder, { kind: Kind }>;
  readonly lanes: readonly Option<number>[];
  readonly onChange: (decoder: Decoder) => void;
}

function UartChoices({ decoder, lanes, onChange }: ChoicesProps<'uart'>) {
  const known = [...new Set([...rates, decoder.baudRate])];
  return (
    <>
      <Choice label="Line" value={decoder.pin} options={lanes} onChange={(pin) => onChange({ ...decoder, pin })} />
      <Choice
        label="Baud"
        value={decoder.baudRate}
        options={known.map((rate) => ({ value: rate, label: String(rate) }))}
        onChange={(baudRate) => onChange({ ...decoder, baudRate })}
      />
      <Choice
        label="Bits"
        value={decoder.dataBits}
        options={[
          { value: 8, label: '8' },
          { value: 7, label: '7' },
        ]}
        onChange={(dataBits) => onChange({ ...decoder, dataBits })}
      />
      <Choice
        label="Parity"
        value={decoder.parity}
        options={[
          { value: 'none', label: 'none' },
          { value: 'even', label: 'even' },
          { value: 'odd', label: 'odd' },
        ]}
        onChange={(parity) => onChange({ ...decoder, parity })}
      />
    </>
  );
}

function SpiChoices({ decoder, lanes, onChange }: ChoicesProps<'spi'>) {
  const orNone: readonly Option<number | null>[] = [...lanes, { value: null, label: 'none' }];
  return (
    <>
      <Choice label="CLK" value={decoder.clk} options={lanes} onChange={(clk) => onChange({ ...decoder, clk })} />
      <Choice label="MOSI" value={decoder.mosi} options={orNone} onChange={(mosi) => onChange({ ...decoder, mosi })} />
      <Choice label="MISO" value={decoder.miso} options={orNone} onChange={(miso) => onChange({ ...decoder, miso })} />
      <Choice label="CS" value={decoder.cs} options={orNone} onChange={(cs) => onChange({ ...decoder, cs })} />
      <Choice
        label="Mode"
        value={decoder.mode}
        options={([0, 1, 2, 3] as const).map((mode) => ({ value: mode, label: String(mode) }))}
        onChange={(mode) => onChange({ ...decoder, mode })}
      />
    </>
  );
}

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
}

/** Select for values that need not be strings. */
export function Choice<Value extends string | number | null>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <span className={styles['choice']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      <Select
        id={id}
        mono
        value={String(value)}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => String(option.value) === currentTarget.value);
          if (chosen !== undefined) {
            onChange(chosen.value);
          }
        }}
      >
        {options.map((option) => (
          <option key={String(option.value)} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </Select>
    </span>
  );
}
