/** Registers of a device as its JKit names them, bit by bit. Shows the bytes before it writes them. */
import type { ChipRegister } from '@wirebench/contract/chips';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { hexBytes, hexDigits, hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { type BitRegister, RegisterBits } from '../registers/register-bits.tsx';
import { RegisterTree } from '../registers/register-tree.tsx';
import { useRun } from '../store/run.ts';
import { readRegisters, writeRegister, writtenBytes } from './device-actions.ts';
import styles from './device-panel.module.css';
import { changeDevice, flipBits, type OpenDevice } from './device-store.ts';

interface Pending {
  readonly register: ChipRegister;
  readonly value: number;
  readonly answer: (isConfirmed: boolean) => void;
}

const groupNames = { rw: 'Read and write', r: 'Read only', w: 'Write only' } as const;
const allGroups = Object.values(groupNames);

export function DeviceRegisters({ address, device }: { readonly address: number; readonly device: OpenDevice }) {
  const { registers } = device.chip.content;
  const [open, setOpen] = useState<readonly string[]>(allGroups);
  const usual = registers.find(({ access }) => access === 'rw') ?? registers[0] ?? null;
  const selected = registers.find(({ name }) => name === device.selected) ?? usual;
  const [pending, setPending] = useState<Pending | null>(null);
  const [asking, setAsking] = useState(false);
  const { busy, run } = useRun();
  const readable = registers.filter(({ access }) => access !== 'w').map(({ name }) => name);
  const answer = (isConfirmed: boolean) => {
    pending?.answer(isConfirmed);
    setAsking(false);
  };
  const write = async (register: ChipRegister, value: number) => {
    const isConfirmed = await new Promise<boolean>((resolve) => {
      setPending({ register, value, answer: resolve });
      setAsking(true);
    });
    if (isConfirmed) {
      await writeRegister(address, register, value);
    }
    return isConfirmed;
  };
  return (
    <>
      <div className={styles['bar']}>
        <Button
          size="sm"
          icon={<RefreshCw />}
          busy={busy}
          disabled={readable.length === 0}
          onClick={() => void run(() => readRegisters(address, readable))}
        >
          Read all
        </Button>
        <span className="small" role="status">
          {device.registersReadAt === null
            ? 'not read yet'
            : `read at ${clockTime(device.registersReadAt).slice(0, 8)}`}
        </span>
      </div>
      <div className={styles['registers']}>
        <RegisterTree
          label={`Registers of ${device.chip.content.name}`}
          groups={(['rw', 'r', 'w'] as const).flatMap((access) => {
            const own = registers.filter((register) => register.access === access);
            return own.length === 0
              ? []
              : [{ name: groupNames[access], items: own.map((register) => itemOf(register, device)) }];
          })}
          open={open}
          onOpen={setOpen}
          selected={selected?.name ?? null}
          onSelect={(name) => changeDevice(address, { selected: name })}
        />
        {selected === null ? null : (
          <RegisterBits
            key={selected.name}
            register={bitsOf(selected)}
            word={device.registers.get(selected.name) ?? null}
            flips={device.flips.get(selected.name) ?? 0}
            onFlips={(bits) => flipBits(address, selected.name, bits)}
            onRead={() => readRegisters(address, [selected.name])}
            onWrite={(next) => write(selected, next)}
          />
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => answer(false)}
        harmless
        title={pending === null ? '' : `Write ${pending.register.name} of ${device.chip.content.name}?`}
        text={
          pending === null ? (
            ''
          ) : (
            <>
              {hexNumber(address)} gets the bytes{' '}
              <code>{hexBytes(writtenBytes(address, pending.register.name, pending.value))}</code>, which are{' '}
              {hexNumber(pending.value, pending.register.width / 4)} for {pending.register.name}.
            </>
          )
        }
        action="Write"
        onConfirm={() => answer(true)}
      />
    </>
  );
}

function itemOf({ name, width, address }: ChipRegister, { registers }: OpenDevice) {
  const word = registers.get(name);
  const changed = word !== undefined && word.before !== null && word.before !== word.now;
  const digits = width / 4;
  return {
    key: name,
    name: `${hexNumber(address)} ${name}`,
    word: word === undefined ? '' : hexDigits(word.now, digits),
    was: changed ? hexNumber(word.before ?? 0, digits) : null,
  };
}

/**
 * Describes a register for `RegisterBits`. A register with an offset is a part of an answer, so it cannot be written
 * by itself.
 */
function bitsOf({ name, address, offset, width, access, fields, description }: ChipRegister): BitRegister {
  return {
    name,
    place: `${hexNumber(address)}${offset === 0 ? '' : ` + ${offset}`}`,
    width,
    access: offset === 0 ? access : 'r',
    note: description ?? null,
    fields: fields.map(({ name: field, high, low, values }) => ({
      name: field,
      from: low,
      bits: high - low + 1,
      ...(values !== undefined && { values: new Map(values.map(({ value, name: text }) => [value, text])) }),
    })),
  };
}
