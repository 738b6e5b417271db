import { useEffect } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { getBench } from '../../../workbench/bench.ts';
import { changeSettings, useTerminalSettings } from './settings-store.ts';
import { defaultTerminalSettings } from './terminal-settings.ts';

/** Applies the chosen buffer size to the bench. If memory is insufficient, shows a message and restores the default. */
export function useBufferSize(): void {
  const size = useTerminalSettings((settings) => settings.bufferSize);
  useEffect(() => {
    getBench()
      .call('resize', size << 20)
      .catch(() => {
        toast(
          `Not enough memory for ${memoryText(size << 20)} per port. Close other tabs, or choose a smaller buffer.`,
          {
            level: 'error',
          },
        );
        changeSettings({ bufferSize: defaultTerminalSettings.bufferSize });
      });
  }, [size]);
}
