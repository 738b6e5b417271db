/** What the settings of every family have: a card that is locked while something goes on, and the rate. */
import type { ReactNode } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Card } from '../card.tsx';
import { isBusy } from '../state/flash-state.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { changeSettings } from '../store/settings-actions.ts';
import styles from './settings-card.module.css';

/** Whether nothing can be changed now. A plan that is being made is made anew. */
export function useSettingsLock(): boolean {
  const phase = useFlash((flash) => flash.phase);
  return isBusy({ phase }) && phase !== 'planning';
}

export interface SettingsFrameProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function SettingsFrame({ title, children }: SettingsFrameProps) {
  const locked = useSettingsLock();
  return (
    <Card title={title} actions={locked ? <span className="silk">Locked while writing</span> : undefined}>
      <div className={styles['fields']}>{children}</div>
    </Card>
  );
}

/** The rate to flash at. */
export function BaudField() {
  const locked = useSettingsLock();
  const baudRate = useFlasher(({ settings }) => settings.baudRate);
  return (
    <Field label="Baud" layout="left">
      {(ids) => (
        <Select
          {...ids}
          mono
          disabled={locked}
          value={baudRate}
          onChange={({ currentTarget }) => changeSettings({ baudRate: Number(currentTarget.value) })}
        >
          {pageFamily().baudRates.map((rate) => (
            <option key={rate} value={rate}>
              {rate}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
