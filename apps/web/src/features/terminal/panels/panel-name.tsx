import { useRef, useState } from 'react';
import { TextInput } from '../../../shared/ui/text-input.tsx';
import { type DevicePanel, longestPanelName } from './model/device-panel.ts';
import styles from './panel-head.module.css';
import { renameDevicePanel } from './store/panel-actions.ts';

export interface PanelNameProps {
  readonly panel: DevicePanel;
  /** @param byKey True: editing ended by Enter or Escape, so the caller has to move the focus. */
  readonly onDone: (byKey: boolean) => void;
}

/** Text field that renames a panel. Enter and blur save, Escape discards. */
export function PanelName({ panel, onDone }: PanelNameProps) {
  const [name, setName] = useState(panel.name);
  const left = useRef(false);
  const done = (keep: boolean, byKey: boolean) => {
    // Runs once: removing the field fires a blur, which would call this again.
    if (!left.current) {
      left.current = true;
      if (keep && name !== panel.name) {
        renameDevicePanel(panel.id, name);
      }
      onDone(byKey);
    }
  };
  return (
    <form
      className={styles['field']}
      onSubmit={(event) => {
        event.preventDefault();
        done(true, true);
      }}
    >
      <TextInput
        aria-label={`Name of ${panel.name}`}
        value={name}
        maxLength={longestPanelName}
        autoComplete="off"
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => done(true, false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            done(false, true);
          }
        }}
      />
    </form>
  );
}
