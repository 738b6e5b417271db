/** The landing page of the ESP32 bench with the editor of chips: what each of the two features asks of the other. */
import { useLocation } from 'react-router';
import { Landing } from '../../features/esp32-app/landing.tsx';
import { ChipSection } from '../../features/jkits/chips/chip-section.tsx';

/** `/app/wirebench-esp32`, with `?jkit=<id>` for a chip that is shared, or belongs to whoever is signed in. */
export function Esp32AppPage() {
  return <Landing chips={<ChipSection search={useLocation().search} />} />;
}
