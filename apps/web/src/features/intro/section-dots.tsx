import styles from './section-dots.module.css';
import { type SectionId, sections } from './sections.ts';

/** One dot for each section. It links to the section, and is lit while the section is current. */
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
