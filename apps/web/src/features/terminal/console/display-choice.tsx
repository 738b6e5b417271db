import { use } from 'react';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { changeScreen, useScreenSettings } from '../screen/screen-settings.ts';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';

/** Choice between the displays of the log, and the Screen of the selected port. */
export function DisplayChoice() {
  const layout = useTerminalSettings((settings) => settings.layout);
  const { isReadOnly } = use(TerminalSlotsContext);
  const onScreen = useScreenSettings((settings) => settings.isShown) && !isReadOnly;
  return (
    <Segmented
      label="Display"
      value={onScreen ? 'screen' : layout}
      options={[
        { value: 'text', label: 'Text' },
        { value: 'hex', label: 'Hex' },
        ...(isReadOnly ? [] : [{ value: 'screen', label: 'Screen' } as const]),
      ]}
      onChange={(chosen) => {
        if (!isReadOnly) {
          changeScreen({ isShown: chosen === 'screen' });
        }
        if (chosen !== 'screen') {
          changeSettings({ layout: chosen });
        }
      }}
    />
  );
}
