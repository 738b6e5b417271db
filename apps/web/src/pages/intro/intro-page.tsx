import { Intro } from '../../features/intro/intro.tsx';

/** `/intro`. */
export function IntroPage() {
  return <Intro />;
}
