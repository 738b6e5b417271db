import { Segmented } from '../../../shared/ui/segmented.tsx';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';

/** Choice between the displays of the log. */
export function DisplayChoice() {
  const layout = useTerminalSettings((settings) => settings.layout);
  return (
    <Segmented
      label="Display"
      value={layout}
      options={[
        { value: 'text', label: 'Text' },
        { value: 'hex', label: 'Hex' },
      ]}
      onChange={(chosen) => changeSettings({ layout: chosen })}
    />
  );
}
