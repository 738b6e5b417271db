import { useId, useState } from 'react';
import { descriptionPreview, withoutMarkdown } from '../../../shared/format/description-preview.ts';
import { Markdown } from '../../../shared/ui/markdown.tsx';
import styles from './version-description.module.css';

export interface VersionDescriptionProps {
  /** Name of the described item: `version 1.4.0`. */
  readonly what: string;
  /** Markdown. */
  readonly description: string;
}

/** Shows a short description, or the first 80 characters of a long one with a button for the rest. */
export function VersionDescription({ what, description }: VersionDescriptionProps) {
  const textId = useId();
  const [whole, setWhole] = useState(false);
  const { text, cut } = descriptionPreview(withoutMarkdown(description));
  return (
    <div className={styles['description']}>
      <div id={textId} className={styles['text']}>
        {cut && !whole ? <p>{text}</p> : <Markdown text={description} />}
      </div>
      {cut ? (
        <button
          type="button"
          className={`link ${styles['more']}`}
          aria-expanded={whole}
          aria-controls={textId}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : 'Show more'} <span className="visually-hidden">of {what}</span>
        </button>
      ) : null}
    </div>
  );
}
