import styles from './section-dots.module.css';
import { type SectionId, sections } from './sections.ts';

/** One dot for each section: it leads there and is lit while the section is read. */
export function SectionDots({ current }: { readonly current: SectionId }) {
  return (
    <nav className={styles['dots']} aria-label="Sections">
      {sections.map(({ id, name }) => (
        <a key={id} href={`#${id}`} title={name} aria-current={id === current ? 'true' : undefined}>
          <span className="visually-hidden">{name}</span>
        </a>
      ))}
    </nav>
  );
}
