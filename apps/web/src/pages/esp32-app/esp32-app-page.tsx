/** The landing page of the ESP32 bench with the editor of chips: connects the two features. */
import { useLocation } from 'react-router';
import { Landing } from '../../features/esp32-app/landing.tsx';
import { ChipSection } from '../../features/jkits/chips/chip-section.tsx';

/** Page `/app/wirebench-esp32`, with `?jkit=<id>` for a chip that is shared, or belongs to the signed-in user. */
export function Esp32AppPage() {
  return <Landing chips={<ChipSection search={useLocation().search} />} />;
}
