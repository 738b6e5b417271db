import { useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { cardPath, cardText, type ToolId } from './cards.ts';
import styles from './video-dialog.module.css';

export interface VideoDialogProps {
  /** Whose video is shown; null while none is. */
  readonly tool: ToolId | null;
  readonly onClose: () => void;
  /** The way to the flasher goes through the choice of a chip family. */
  readonly onChooseFamily: () => void;
}

export function VideoDialog({ tool, onClose, onChooseFamily }: VideoDialogProps) {
  // What was shown last stays in the modal while it closes.
  const [shown, setShown] = useState<ToolId>('uart');
  if (tool !== null && tool !== shown) {
    setShown(tool);
  }
  return (
    <Dialog open={tool !== null} onClose={onClose} title={cardText[shown].name} size="lg">
      <Video key={shown} tool={shown} onLeave={onClose} onChooseFamily={onChooseFamily} />
    </Dialog>
  );
}

interface VideoProps {
  readonly tool: ToolId;
  readonly onLeave: () => void;
  readonly onChooseFamily: () => void;
}

function Video({ tool, onLeave, onChooseFamily }: VideoProps) {
  const [missing, setMissing] = useState(false);
  if (!missing) {
    return (
      <video
        className={styles['video']}
        src={`/videos/${tool}.webm`}
        controls
        playsInline
        preload="metadata"
        onError={() => setMissing(true)}
      >
        <track kind="captions" src={`/videos/${tool}.vtt`} srcLang="en" label="English" default />
      </video>
    );
  }
  const { name } = cardText[tool];
  return (
    <p role="status">
      The video of the {name.toLowerCase()} is not part of this installation.{' '}
      {tool === 'flasher' ? (
        <button
          type="button"
          className="link"
          onClick={() => {
            onLeave();
            onChooseFamily();
          }}
        >
          Choose a chip family
        </button>
      ) : (
        <Link to={cardPath[tool]} className="link" onClick={onLeave}>
          Open the {name.toLowerCase()}
        </Link>
      )}{' '}
      to see it at work.
    </p>
  );
}
