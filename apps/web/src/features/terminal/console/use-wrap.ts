import { media } from '../../../shared/styles/media.ts';
import { useTerminalSettings } from '../settings/settings-store.ts';
import { useMediaQuery } from '../use-media-query.ts';

/** Whether long lines go on below: as it was chosen, else where the screen is that of a phone. */
export function useWrap(): boolean {
  const chosen = useTerminalSettings((settings) => settings.wrap);
  const onPhone = useMediaQuery(media.phone);
  return chosen ?? onPhone;
}
