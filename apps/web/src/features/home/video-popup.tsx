/** The content of `VideoDialog`. Loaded when a video is first opened. */
import { useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { DemoVideo } from '../../shared/videos/demo-video.tsx';
import { cardPath, cardText, type ToolId } from './cards.ts';

export interface VideoDialogProps {
  /** Tool whose video is shown. Null: closed. */
  readonly tool: ToolId | null;
  readonly onClose: () => void;
  /** The button for the flasher opens the choice of a chip family. */
  readonly onChooseFamily: () => void;
}

export function VideoPopup({ tool, onClose, onChooseFamily }: VideoDialogProps) {
  // Keeps the last video in the modal while it closes.
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
    return <DemoVideo video={tool} onMissing={() => setMissing(true)} />;
  }
  const { name } = cardText[tool];
  return (
    <p role="status">
      The video of the {name.toLowerCase()} could not be loaded.{' '}
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
      to see it in action.
    </p>
  );
}
