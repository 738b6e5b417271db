import { Landing } from '../../features/esp32-app/landing.tsx';

/** `/app/wirebench-esp32`. */
export function Esp32AppPage() {
  return <Landing />;
}
