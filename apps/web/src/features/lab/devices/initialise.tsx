/** Sets a device up with the writes of its JKit, after the user has seen every byte. */
import { useState } from 'react';
import { hexBytes, hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { clockTime } from '../../../workbench/console/row-times.ts';
import { useStepVariant } from '../next-step.ts';
import { useRun } from '../store/run.ts';
import { initialise, initialWrites } from './device-actions.ts';
import { CheckIdentity } from './device-choice.tsx';
import styles from './device-panel.module.css';
import type { OpenDevice } from './device-store.ts';

interface DeviceProps {
  readonly address: number;
  readonly device: OpenDevice;
}

export function Initialise({ address, device }: DeviceProps) {
  const { content } = device.chip;
  const [asking, setAsking] = useState(false);
  const { busy, run } = useRun();
  const variant = useStepVariant('initialise', address);
  const count = content.init.length;
  return (
    <>
      {count === 0 ? (
        <span className={styles['subtle']}>It needs no set-up.</span>
      ) : (
        <>
          <Button size="sm" variant={variant} busy={busy} onClick={() => setAsking(true)}>
            Initialise…
          </Button>
          <span className={styles['subtle']} role="status">
            {device.initialisedAt === null
              ? `${writes(count)}; not initialised here yet`
              : `initialised at ${clockTime(device.initialisedAt).slice(0, 8)}`}
          </span>
        </>
      )}
      {content.identification.length === 0 ? null : <CheckIdentity address={address} isFitting={device.isFitting} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        harmless
        title={`Initialise ${content.name} at ${hexNumber(address)}?`}
        text={`The JKit writes this to the device, ${writes(count)} in all:`}
        action="Initialise"
        onConfirm={() => {
          setAsking(false);
          void run(() => initialise(address));
        }}
      >
        {asking ? <Writes address={address} device={device} /> : null}
      </ConfirmDialog>
    </>
  );
}

function Writes({ address, device }: DeviceProps) {
  return (
    <ol className={styles['writes']}>
      {initialWrites(device.chip.content, address).map(({ bytes, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: writes have no other name.
        <li key={index}>
          <code>{hexBytes(bytes)}</code> <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}

const writes = (count: number) => (count === 1 ? '1 write' : `${count} writes`);
