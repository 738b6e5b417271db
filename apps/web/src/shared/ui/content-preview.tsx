/** Parts that previews of JKits of chips and decoders share. */
import styles from './content-preview.module.css';
import { Notice } from './notice.tsx';

export interface ContentFaultsProps {
  readonly title: string;
  readonly faults: readonly string[];
}

export function ContentFaults({ title, faults }: ContentFaultsProps) {
  return (
    <Notice level="warning" title={title}>
      <ul className={styles['faults']}>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** @param facts Terms with their texts, a row each. */
export function ContentFacts({ facts }: { readonly facts: readonly (readonly [term: string, text: string])[] }) {
  return (
    <dl className={`small ${styles['facts']}`}>
      {facts.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
