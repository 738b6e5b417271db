/** List of the devices on the bus, with the certainty of their identification and buttons that read them or open their JKits. */
import { useRef } from 'react';
import { hexNumber } from '../../../shared/format/hex.ts';
import { useBringIntoView } from '../../../shared/ui/bring-into-view.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { certaintyText, nameOf } from '../devices/certainty.ts';
import { CertaintyMark } from '../devices/certainty-mark.tsx';
import { useDevices } from '../devices/device-store.ts';
import { useStepVariant } from '../next-step.ts';
import { openDevicePanel, readDevice, selectDevice } from '../store/lab-actions.ts';
import styles from './found-list.module.css';

interface FoundListProps {
  readonly found: readonly number[];
  readonly selected: number | null;
  /** True: a scan has ended. False: no scan was made, or one is running. */
  readonly isAnswer: boolean;
}

export function FoundList({ found, selected, isAnswer }: FoundListProps) {
  const list = useRef<HTMLUListElement>(null);
  useBringIntoView(list, isAnswer || null, false);
  return (
    <ul ref={list} className={styles['list']} aria-label="Found devices">
      {found.map((address) => (
        <li key={address} className={classNames(styles['row'], address === selected && styles['selected'])}>
          <FoundDevice address={address} isSelected={address === selected} />
        </li>
      ))}
    </ul>
  );
}

function FoundDevice({ address, isSelected }: { readonly address: number; readonly isSelected: boolean }) {
  const identity = useDevices(({ identities }) => identities.get(address));
  const opened = useDevices(({ open }) => open.get(address)?.chip.content.name);
  const best = identity?.offers[0];
  const sure = best !== undefined && best.certainty !== 'address';
  const variant = useStepVariant('open', address);
  // Its description is the product's own, and a register says that it is this chip.
  const readable =
    opened === undefined &&
    best?.certainty === 'register' &&
    best.chip.origin === 'shipped' &&
    best.chip.content.readings.length > 0
      ? best.chip
      : null;
  const action = opened !== undefined ? 'Show' : sure ? 'Open JKit' : 'Choose JKit';
  return (
    <>
      <button
        type="button"
        className={styles['device']}
        aria-pressed={isSelected}
        onClick={() => selectDevice(address)}
      >
        <span className={styles['address']}>{hexNumber(address)}</span>
        <span className={styles['name']}>{opened ?? nameOf(best)}</span>
        <span className={styles['certainty']}>
          {best === undefined ? null : <CertaintyMark certainty={best.certainty} />}
          {best === undefined ? '' : certaintyText(best)}
          {identity?.isUnasked ? ', not asked' : ''}
        </span>
      </button>
      {readable === null ? null : (
        <Button
          size="sm"
          variant={variant}
          aria-label={`Read ${readable.content.name} at ${hexNumber(address)}`}
          onClick={() => void readDevice(address, readable)}
        >
          Read
        </Button>
      )}
      <Button
        size="sm"
        variant={readable === null ? variant : 'quiet'}
        aria-label={`${action}${action === 'Show' ? '' : ' for'} ${hexNumber(address)}`}
        onClick={() => void openDevicePanel(address, opened === undefined && sure ? best.chip : null)}
      >
        {action}
      </Button>
    </>
  );
}
