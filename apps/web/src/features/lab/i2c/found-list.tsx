/** What was found on the bus, each with how sure it is what it is. */
import { classNames } from '../../../shared/ui/class-names.ts';
import type { Certainty, FoundDevice } from '../../../workbench/lab/lab-protocol.ts';
import { hex } from '../quantities.ts';
import { selectDevice } from '../store/lab-actions.ts';
import styles from './found-list.module.css';

export interface FoundListProps {
  readonly found: readonly FoundDevice[];
  readonly selected: number | null;
}

export function FoundList({ found, selected }: FoundListProps) {
  return (
    <ul className={styles['list']} aria-label="Found devices">
      {found.map((device) => (
        <li key={device.address}>
          <button
            type="button"
            className={classNames(styles['device'], device.address === selected && styles['selected'])}
            aria-pressed={device.address === selected}
            onClick={() => selectDevice(device.address)}
          >
            <span className={styles['address']}>{hex(device.address)}</span>
            <span className={styles['name']}>{nameOf(device)}</span>
            <span className={styles['certainty']}>
              <i className={styles['mark']} data-certainty={device.certainty} />
              {certaintyText(device)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A guess has a question mark. */
function nameOf({ name, certainty }: FoundDevice): string {
  return name === null ? 'Unknown' : certainty === 'address' ? `${name}?` : name;
}

const words = {
  address: 'By address only',
  likely: 'Likely',
  register: 'Identified by',
} satisfies Record<Certainty, string>;

function certaintyText({ certainty, evidence }: FoundDevice): string {
  switch (certainty) {
    case 'address':
      return words.address;
    case 'likely':
      return `${words.likely}: ${evidence}`;
    case 'register':
      return `${words.register} ${evidence}`;
  }
}
