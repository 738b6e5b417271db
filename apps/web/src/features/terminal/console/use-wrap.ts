import { media } from '../../../shared/styles/media.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { useTerminalSettings } from '../settings/settings-store.ts';

/** Returns true if long lines wrap: the chosen setting, else true on phones. */
export function useWrap(): boolean {
  const chosen = useTerminalSettings((settings) => settings.wrap);
  const onPhone = useMediaQuery(media.phone);
  return chosen ?? onPhone;
}
