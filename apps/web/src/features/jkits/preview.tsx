import type { Jkit } from '@wirebench/contract';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { shownContent } from './model/jkit-messages.ts';
import styles from './preview.module.css';

/** Preview of a JKit's content before it is loaded. */
export function Preview({ jkit }: { readonly jkit: Pick<Jkit, 'type' | 'content' | 'name'> }) {
  switch (jkit.type) {
    case 'chip':
      return <LoadedChip content={jkit.content} />;
    case 'decoder':
      return <LoadedDecoder content={jkit.content} />;
    case 'uart':
      return <Messages {...jkit} />;
  }
}

const loadChipPreview = () => import('./chips/chip-preview.tsx');
const nothing = () => undefined;

function LoadedChip({ content }: { readonly content: string }) {
  const preview = useLoaded(true, loadChipPreview, nothing);
  return preview === null ? <p role="status">Loading registers…</p> : <preview.ChipPreview content={content} />;
}

const loadDecoderPreview = () => import('../../workbench/decoders/decoder-preview.tsx');

function LoadedDecoder({ content }: { readonly content: string }) {
  const preview = useLoaded(true, loadDecoderPreview, nothing);
  return preview === null ? <p role="status">Loading messages…</p> : <preview.DecoderPreview content={content} />;
}

/** The messages of a JKit as they will appear in the panel. */
function Messages({ content, name }: Pick<Jkit, 'content' | 'name'>) {
  const { messages } = shownContent(content);
  if (messages.length === 0) {
    return <p className="small">It has no messages.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it.
    <ol className={`ring-inside ${styles['preview']}`} aria-label={`Messages of ${name}`} tabIndex={0}>
      {messages.map(({ content: text, type, label, notes }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and it may contain duplicates.
        <li key={index}>
          {label === '' ? null : <b>{label}</b>}
          <code className={styles['text']}>{text}</code>
          {notes.length === 0 ? null : <span className={styles['notes']}>{notes.join(', ')}</span>}
          <span className="silk">{type === 'hex' ? 'Hex' : 'Asc'}</span>
        </li>
      ))}
    </ol>
  );
}
