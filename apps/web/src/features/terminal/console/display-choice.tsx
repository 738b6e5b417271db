import { Segmented } from '../../../shared/ui/segmented.tsx';
import { changeScreen, useScreenSettings } from '../screen/screen-settings.ts';
import { changeSettings, useTerminalSettings } from '../settings/settings-store.ts';

/** Choice between the displays of the log, and the Screen of the selected port. */
export function DisplayChoice() {
  const layout = useTerminalSettings((settings) => settings.layout);
  const onScreen = useScreenSettings((settings) => settings.isShown);
  return (
    <Segmented
      label="Display"
      value={onScreen ? 'screen' : layout}
      options={[
        { value: 'text', label: 'Text' },
        { value: 'hex', label: 'Hex' },
        { value: 'screen', label: 'Screen' },
      ]}
      onChange={(chosen) => {
        changeScreen({ isShown: chosen === 'screen' });
        if (chosen !== 'screen') {
          changeSettings({ layout: chosen });
        }
      }}
    />
  );
}
