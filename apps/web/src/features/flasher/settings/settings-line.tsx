/** Line of the settings: what differs from the default as tags, and all of them when it is open. */
import { type ReactNode, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { Fold } from '../fold.tsx';
import { firstSettings } from '../state/write-settings.ts';
import { setBatchMode } from '../store/batch-mode.ts';
import { hasImage } from '../store/board-builds.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { changeMonitorRate } from '../store/monitor-actions.ts';
import { changeSettings } from '../store/settings-actions.ts';
import { lockText, useSettingsLock } from '../write/settings-frame.tsx';
import styles from './settings-line.module.css';

export interface SettingsLineProps {
  /** Fields of the family. */
  readonly children: ReactNode;
}

export function SettingsLine({ children }: SettingsLineProps) {
  const [open, setOpen] = useState(false);
  const locked = useSettingsLock();
  const phase = useFlash((flash) => flash.phase);
  const work = useFlash((flash) => flash.work);
  const settings = useFlasher((state) => state.settings);
  const batchMode = useFlasher((state) => state.batchMode);
  const hasFiles = useFlasher(hasImage);
  const isEditing = useFlasher(({ editing, selected }) => editing[selected]);
  const family = pageFamily();
  const first = firstSettings(family);
  const own = family.settingTags(settings.own);
  const rate = settings.baudRate === first.baudRate ? [] : [`${settings.baudRate} baud`];
  const monitor =
    settings.monitorBaudRate === first.monitorBaudRate ? [] : [`Monitor ${settings.monitorBaudRate} baud`];
  const tags = [...own, ...rate, ...monitor, ...(batchMode ? ['Batch'] : [])];
  if (isEditing && !hasFiles && tags.length === 0) {
    return null;
  }
  const reset = () => {
    const { own: ownFirst, baudRate } = first;
    changeSettings({ own: ownFirst, baudRate });
  };
  return (
    <Fold
      title="Settings"
      open={open}
      onToggle={setOpen}
      summary={
        locked ? (
          lockText({ phase, work })
        ) : tags.length === 0 ? (
          'Nothing differs from the default'
        ) : (
          <>
            {tags.map((tag) => (
              <span key={tag} className={styles['tag']}>
                {tag}
              </span>
            ))}
            {tags.length === 1 ? '1 differs from the default' : `${tags.length} differ from the default`}
          </>
        )
      }
      actions={
        open && !locked && own.length + rate.length > 0 ? (
          <Button size="sm" variant="quiet" onClick={reset}>
            Back to default
          </Button>
        ) : null
      }
    >
      <div className={styles['fields']}>
        {children}
        <MonitorRate />
        <div className={styles['options']}>
          {hasFiles || batchMode ? (
            <Switch
              label="Batch: flash each board that is plugged in"
              checked={batchMode}
              disabled={locked && !batchMode}
              onChange={setBatchMode}
            />
          ) : null}
        </div>
      </div>
    </Fold>
  );
}

/** Rate of the board's own console, in baud. */
function MonitorRate() {
  const port = useFlasher(({ selected }) => selected);
  const rate = useFlasher(({ settings }) => settings.monitorBaudRate);
  const rates = [...new Set<number>([...pageFamily().monitorBaudRates, rate])].sort((one, other) => one - other);
  return (
    <Field label="Monitor">
      {(ids) => (
        <Select
          {...ids}
          mono
          value={rate}
          onChange={({ currentTarget }) => void changeMonitorRate(port, Number(currentTarget.value))}
        >
          {rates.map((known) => (
            <option key={known} value={known}>
              {known}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
