/**
 * Form that captures an I2C transfer of the bench: the next one of any instrument, or one that is made from this
 * form.
 */
import { type FormEvent, useId } from 'react';
import { hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { faultOf, InputFaults, inputFaults } from '../input-faults.tsx';
import { useCaptureOffered, useStepVariant } from '../next-step.ts';
import panel from '../panel.module.css';
import { parseBytes, parseHex } from '../quantities.ts';
import { useDraft } from '../store/drafts.ts';
import { useLab } from '../store/lab-store.ts';
import type { Running } from '../store/run.ts';
import { takeNextTransfer, takeTransfer } from './capture-store.ts';
import styles from './capture-view.module.css';

/** Maximum bytes in each direction. They must fit into the controller before the start. */
const maxWritten = 30;
const maxRead = 31;

export interface TransferFormProps {
  /** Pins captured besides those of the bus. */
  readonly pins: readonly number[];
  readonly busy: boolean;
  readonly run: Running['run'];
}

export function TransferForm({ pins, busy, run }: TransferFormProps) {
  const bus = useLab(({ tick }) => tick.i2c);
  const device = useLab((state) => state.device ?? state.tick.found[0] ?? null);
  const [shown, setTyped] = useDraft(`captured ${device ?? 'none'}`, device === null ? '' : hexNumber(device));
  const [bytes, setBytes] = useDraft('captured write', '00');
  const [length, setLength] = useDraft('captured read', '1');
  const id = useId();
  const variant = useStepVariant('capture');
  useCaptureOffered(bus !== null);
  if (bus === null) {
    return <span className={styles['hint']}>Open the I2C bus first: Scan opens it on its pins.</span>;
  }
  const address = parseHex(shown, 0x7f);
  const write = parseBytes(bytes, maxWritten);
  const read = /^\d+$/.test(length.trim()) ? Number(length) : -1;
  const fits = address !== null && write !== null && read >= 0 && read <= maxRead && write.length + read > 0;
  const addressFault = shown === '' || address !== null ? null : inputFaults.address;
  const writeFault = write === null ? inputFaults.bytes(maxWritten) : null;
  const readFault = read >= 0 && read <= maxRead ? null : `0 to ${maxRead} bytes are read in a transfer.`;
  const emptyFault = write?.length === 0 && read === 0 ? 'A transfer has a byte to write or to read.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fits) {
      void run(() => takeTransfer(pins, { address, write, read }));
    }
  };
  return (
    <>
      <form className={styles['transfer']} aria-label="Capture a transfer" onSubmit={submit}>
        <div className={panel['field']}>
          <label htmlFor={`${id}-address`} className="silk">
            Address
          </label>
          <TextInput
            id={`${id}-address`}
            mono
            className={styles['short']}
            value={shown}
            placeholder="0x76"
            {...faultOf(addressFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </div>
        <div className={panel['field']}>
          <label htmlFor={`${id}-bytes`} className="silk">
            Write
          </label>
          <TextInput
            id={`${id}-bytes`}
            mono
            className={styles['short']}
            value={bytes}
            {...faultOf(writeFault ?? emptyFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setBytes(currentTarget.value)}
          />
        </div>
        <div className={panel['field']}>
          <label htmlFor={`${id}-length`} className="silk">
            Read
          </label>
          <TextInput
            id={`${id}-length`}
            mono
            inputMode="numeric"
            className={styles['tiny']}
            value={length}
            {...faultOf(readFault ?? emptyFault, `${id}-fault`)}
            onChange={({ currentTarget }) => setLength(currentTarget.value)}
          />
        </div>
        <Button type="submit" variant={variant} busy={busy} disabled={!fits}>
          Capture this transfer
        </Button>
      </form>
      <Button busy={busy} onClick={() => void run(() => takeNextTransfer(pins))}>
        Capture the next transfer
      </Button>
      <InputFaults id={`${id}-fault`} faults={[addressFault, writeFault, readFault, emptyFault]} />
    </>
  );
}
