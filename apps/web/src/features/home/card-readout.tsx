import { Kbd } from '../../shared/ui/kbd.tsx';
import styles from './card-readout.module.css';
import { type CardId, cardText } from './cards.ts';

/** Describes the selected card. Screen readers get the same text with the card itself. */
export function Readout({ card }: { readonly card: CardId }) {
  const { name, description } = cardText[card];
  return (
    <div className={styles['readout']} data-testid="readout">
      <b>{name}</b>
      <span className={styles['description']}>{description}</span>
      <span className={`row ${styles['keys']}`}>
        <Kbd>←</Kbd>
        <Kbd>→</Kbd> choose <Kbd>Enter</Kbd> open
      </span>
    </div>
  );
}
