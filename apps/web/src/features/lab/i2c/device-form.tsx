/** Forms for a device on the bus: read registers, and write bytes to one. */
import { type FormEvent, type ReactNode, useId } from 'react';
import { hexBytes, hexNumber } from '../../../shared/format/hex.ts';
import { Answer } from '../../../shared/ui/answer.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { noteExchange, useDevices } from '../devices/device-store.ts';
import { faultOf, InputFaults, inputFaults } from '../input-faults.tsx';
import panel from '../panel.module.css';
import { parseBytes, parseHex } from '../quantities.ts';
import { useDraft } from '../store/drafts.ts';
import { getLab } from '../store/lab-line.ts';
import { useRun } from '../store/run.ts';
import styles from './i2c-panel.module.css';

/** Maximum bytes of a transfer: the FIFO has 32, and the address takes one. */
const longest = 31;

/** @param device Address of the selected device, which is the default of the address field. */
export function DeviceForm({ device }: { readonly device: number | null }) {
  const place = `i2c ${device ?? 'none'}`;
  const [typed, setTyped] = useDraft(`${place} address`, device === null ? '' : hexNumber(device));
  const [register, setRegister] = useDraft(`${place} register`, '00');
  const [sizeText, setSize] = useDraft(`${place} size`, '1');
  const [length, setLength] = useDraft(`${place} length`, '1');
  const [bytes, setBytes] = useDraft(`${place} bytes`, '');
  const last = useDevices(({ exchanges }) => exchanges.get(device) ?? null);
  const { busy, run } = useRun();
  const id = useId();
  const size = sizeText === '2' ? 2 : 1;
  const address = parseHex(typed, 0x7f);
  const number = parseHex(register, 256 ** size - 1);
  const count = /^\d+$/.test(length.trim()) ? Number(length) : 0;
  const payload = parseBytes(bytes, longest - 1 - size);
  const pointer = number === null ? null : size === 1 ? [number] : [number >> 8, number & 0xff];
  const addressFault = typed === '' || address !== null ? null : inputFaults.address;
  const registerFault = number === null ? `A register is 00 to ${size === 1 ? 'FF' : 'FFFF'}, in hexadecimal.` : null;
  const countFault = count >= 1 && count <= longest ? null : `1 to ${longest} bytes are read at once.`;
  const bytesFault = payload === null ? inputFaults.bytes(longest - 1 - size) : null;
  const canRead = address !== null && pointer !== null && count >= 1 && count <= longest;
  const canWrite = address !== null && pointer !== null && payload !== null && payload.length > 0;
  const read = (event: FormEvent) => {
    event.preventDefault();
    if (canRead) {
      if (last?.kind === 'written') {
        noteExchange(device, null);
      }
      void run(async () => {
        const got = await getLab().call('transfer', address, Uint8Array.from(pointer), count);
        noteExchange(device, { kind: 'read', address, register: number ?? 0, bytes: got });
      });
    }
  };
  const write = (event: FormEvent) => {
    event.preventDefault();
    if (canWrite) {
      noteExchange(device, null);
      void run(async () => {
        await getLab().call('transfer', address, Uint8Array.from([...pointer, ...payload]), 0);
        noteExchange(device, { kind: 'written', address, register: number ?? 0, bytes: payload });
      });
    }
  };
  return (
    <div className={styles['device']}>
      <form className={panel['form']} aria-label="Read registers" onSubmit={read}>
        <Labelled label="Address" id={`${id}-address`}>
          <TextInput
            id={`${id}-address`}
            mono
            className={styles['short']}
            value={typed}
            placeholder="0x76"
            {...faultOf(addressFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Labelled>
        <Labelled label="Register" id={`${id}-register`}>
          <TextInput
            id={`${id}-register`}
            mono
            className={styles['short']}
            value={register}
            {...faultOf(registerFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setRegister(currentTarget.value)}
          />
        </Labelled>
        <Labelled label="Number size" id={`${id}-size`}>
          <Select id={`${id}-size`} value={size} onChange={({ currentTarget }) => setSize(currentTarget.value)}>
            <option value={1}>8 bits</option>
            <option value={2}>16 bits</option>
          </Select>
        </Labelled>
        <Labelled label="Bytes" id={`${id}-length`}>
          <TextInput
            id={`${id}-length`}
            mono
            inputMode="numeric"
            className={styles['tiny']}
            value={length}
            {...faultOf(countFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setLength(currentTarget.value)}
          />
        </Labelled>
        <Button type="submit" busy={busy} disabled={!canRead}>
          Read
        </Button>
      </form>
      <InputFaults id={`${id}-fault`} faults={[addressFault, registerFault, countFault]} />
      <Answer of={last?.kind === 'read' ? last : null}>
        {last?.kind === 'read' ? (
          <p className={panel['answer']}>
            <span>
              {hexNumber(last.address)} register {hexNumber(last.register)}:{' '}
            </span>
            {hexBytes(last.bytes)} <span>{decimal(last.bytes)}</span>
          </p>
        ) : null}
      </Answer>
      <form className={panel['form']} aria-label="Write a register" onSubmit={write}>
        <div className={`${panel['field']} ${panel['wide']}`}>
          <label htmlFor={`${id}-bytes`} className="silk">
            Bytes to write
          </label>
          <TextInput
            id={`${id}-bytes`}
            mono
            value={bytes}
            placeholder="57 or F4 57"
            {...faultOf(bytesFault, `${id}-bytes-fault`)}
            onChange={({ currentTarget }) => setBytes(currentTarget.value)}
          />
        </div>
        <Button type="submit" busy={busy} disabled={!canWrite}>
          Write
        </Button>
      </form>
      <InputFaults id={`${id}-bytes-fault`} faults={[bytesFault]} />
      <Answer of={last?.kind === 'written' ? last : null}>
        {last?.kind === 'written' ? (
          <p className={panel['answer']}>
            {`${hexNumber(last.address)} took ${hexBytes(last.bytes)} for register ${hexNumber(last.register)}.`}
          </p>
        ) : null}
      </Answer>
    </div>
  );
}

/** Formats one byte in decimal: `(96)`. Empty for several bytes. */
const decimal = (bytes: Uint8Array) => (bytes.length === 1 ? `(${bytes[0]})` : '');

function Labelled({
  label,
  id,
  children,
}: {
  readonly label: string;
  readonly id: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={panel['field']}>
      <label htmlFor={id} className="silk">
        {label}
      </label>
      {children}
    </div>
  );
}
