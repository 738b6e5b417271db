/** Settings of a Screen: its size and type, and what the port's board expects of keys. */
import type { PortNumber } from '@wirebench/serial';
import type { RefObject } from 'react';
import { Field } from '../../../shared/ui/field.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { Select } from '../../../shared/ui/select.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { changeKeys, changeScreen, typeSizes, useScreenSettings } from './screen-settings.ts';
import styles from './screen-view.module.css';

export interface ScreenSettingsPopoverProps {
  readonly port: PortNumber;
  readonly open: boolean;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

export function ScreenSettingsPopover({ port, open, anchor, onClose }: ScreenSettingsPopoverProps) {
  const { log, ownInLog, size, typeSize, readsAloud, keys } = useScreenSettings((settings) => settings);
  const { enter, backspace, localEcho } = keys[port];
  return (
    <Popover open={open} anchor={anchor} onClose={onClose} side="bottom" title="Screen" subtitle={`Port ${port}`}>
      <div className={styles['settings']}>
        <div className={styles['choice']}>
          <span className="silk">Size</span>
          <Segmented
            label="Size"
            value={size}
            options={[
              { value: 'fit', label: 'Fit' },
              { value: '80x24', label: '80 × 24' },
            ]}
            onChange={(chosen) => changeScreen({ size: chosen })}
          />
        </div>
        <Field label="Type" layout="left">
          {(ids) => (
            <Select
              {...ids}
              value={typeSize}
              onChange={(event) => {
                const chosen = typeSizes.find((known) => known === Number(event.currentTarget.value));
                changeScreen({ typeSize: chosen ?? typeSize });
              }}
            >
              {typeSizes.map((px) => (
                <option key={px} value={px}>
                  {px} px
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className={styles['choice']}>
          <span className="silk">Enter sends</span>
          <Segmented
            label="Enter sends"
            value={enter}
            options={[
              { value: 'cr', label: 'CR' },
              { value: 'lf', label: 'LF' },
              { value: 'crlf', label: 'CRLF' },
            ]}
            onChange={(chosen) => changeKeys(port, { enter: chosen })}
          />
        </div>
        <div className={styles['choice']}>
          <span className="silk">Backspace sends</span>
          <Segmented
            label="Backspace sends"
            value={backspace}
            options={[
              { value: 'del', label: 'DEL' },
              { value: 'bs', label: 'BS' },
            ]}
            onChange={(chosen) => changeKeys(port, { backspace: chosen })}
          />
        </div>
        <div className={styles['choice']}>
          <span className="silk">Log</span>
          <Segmented
            label="Log"
            value={log}
            options={[
              { value: 'beside', label: 'Beside' },
              { value: 'below', label: 'Below' },
              { value: 'away', label: 'Away' },
            ]}
            onChange={(chosen) => changeScreen({ log: chosen })}
          />
        </div>
        <Switch
          label="This port in the log too"
          checked={ownInLog}
          disabled={log === 'away'}
          onChange={(isOn) => changeScreen({ ownInLog: isOn })}
        />
        <Switch label="Local echo" checked={localEcho} onChange={(isOn) => changeKeys(port, { localEcho: isOn })} />
        <Switch
          label="Tell screen readers what arrives"
          checked={readsAloud}
          onChange={(isOn) => changeScreen({ readsAloud: isOn })}
        />
      </div>
    </Popover>
  );
}
