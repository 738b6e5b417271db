/** Networks as the board sees them, as one group of choices, and one for a network that is not in the list. */
import type { WifiNetwork } from '@wirebench/serial/improv';
import { Lock, Plus, Wifi, WifiHigh, WifiLow } from 'lucide-react';
import { useId } from 'react';
import styles from './improv.module.css';

/** Value for a network whose name is typed. */
export const otherNetwork = '';

interface NetworkListProps {
  readonly networks: readonly WifiNetwork[];
  /** Key of the chosen network; `otherNetwork`, or null for none. */
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
}

/** Names may be any bytes, so that two may look alike. */
export const networkKey = ({ bytes }: WifiNetwork): string => bytes.join('.');

export function NetworkList({ networks, chosen, onChoose }: NetworkListProps) {
  const group = useId();
  return (
    <fieldset className={styles['networks']}>
      <legend className="visually-hidden">Networks that the board sees</legend>
      {networks.map((network) => {
        const key = networkKey(network);
        return (
          <label key={key} className={styles['network']}>
            <input type="radio" name={group} checked={chosen === key} onChange={() => onChoose(key)} />
            <SignalIcon signal={network.signal} />
            <span className="ellipsis">{network.name}</span>
            {network.isLocked ? (
              <span className={styles['lock']}>
                <Lock
                  role="img"
                  aria-label={`needs a password${network.protection ? `, ${network.protection}` : ''}`}
                />
              </span>
            ) : (
              <small>open</small>
            )}
            <small>{network.signal === null ? '' : `${network.signal} dBm`.replace('-', '−')}</small>
          </label>
        );
      })}
      <label className={styles['network']}>
        <input type="radio" name={group} checked={chosen === otherNetwork} onChange={() => onChoose(otherNetwork)} />
        <Plus aria-hidden="true" />
        <span>Other network…</span>
      </label>
    </fieldset>
  );
}

/** Three levels, as phones show them. Below -75 dBm much gets lost. */
function SignalIcon({ signal }: { readonly signal: number | null }) {
  const Icon = signal === null || signal >= -60 ? Wifi : signal >= -75 ? WifiHigh : WifiLow;
  return <Icon aria-hidden="true" />;
}
