import { media } from '../../../shared/styles/media.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useTerminalSettings } from '../settings/settings-store.ts';

/** Whether long lines go on below: as it was chosen, else where the screen is that of a phone. */
export function useWrap(): boolean {
  const chosen = useTerminalSettings((settings) => settings.wrap);
  const onPhone = useMediaQuery(media.phone);
  return chosen ?? onPhone;
}
