import { ScanDrawing } from '../../features/esp32-app/scan-drawing.tsx';
import { Intro } from '../../features/intro/intro.tsx';

/** `/intro`. */
export function IntroPage() {
  return <Intro scan={<ScanDrawing />} />;
}
