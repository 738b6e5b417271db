import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import styles from './go-to-release.module.css';

/** Fraction of the release section that must be visible for the button to disappear. */
const ENOUGH = 0.1;

/** Floating button that scrolls to the release section. Shown while less than a tenth of the section is visible. */
export function GoToRelease({ section }: { readonly section: RefObject<HTMLElement | null> }) {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    if (section.current === null || typeof IntersectionObserver === 'undefined') {
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => setNeeded((entries.at(-1)?.intersectionRatio ?? 0) < ENOUGH),
      { threshold: ENOUGH },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, [section]);
  if (!needed) {
    return null;
  }
  const go = () => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    section.current?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth' });
    section.current?.querySelector('a')?.focus({ preventScroll: true });
  };
  return (
    <Button className={styles['button']} icon={<ArrowDown />} onClick={go}>
      Go to release
    </Button>
  );
}
