import { shownContent } from './model/jkit-messages.ts';
import styles from './preview.module.css';

/** The messages of a jkit as they will be in the panel, to be read before it is loaded. */
export function Preview({ content, name }: { readonly content: string; readonly name: string }) {
  const { messages } = shownContent(content);
  if (messages.length === 0) {
    return <p className="small">It has no messages.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what is below.
    <ol className={`ring-inside ${styles['preview']}`} aria-label={`Messages of ${name}`} tabIndex={0}>
      {messages.map(({ content: text, type, notes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and the same message may be in it twice.
        <li key={index}>
          <code className={styles['text']}>{text}</code>
          {notes.length === 0 ? null : <span className={styles['notes']}>{notes.join(', ')}</span>}
          <span className="silk">{type === 'hex' ? 'Hex' : 'Asc'}</span>
        </li>
      ))}
    </ol>
  );
}
