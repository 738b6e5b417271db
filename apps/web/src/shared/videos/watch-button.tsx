import { CirclePlay } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DemoVideo } from './demo-video.tsx';
import type { DemoVideoId } from './demo-videos.ts';

export interface WatchButtonProps {
  readonly video: DemoVideoId;
  /** Label of the button and title of the dialog: "Watch the first minute". */
  readonly children: string;
}

/** Shows a demo video in a dialog. */
export function WatchButton({ video, children }: WatchButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<CirclePlay />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {children}
      </Button>
      <WatchDialog video={video} title={children} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

export interface WatchDialogProps {
  readonly video: DemoVideoId;
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function WatchDialog({ video, title, open, onClose }: WatchDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} size="lg">
      <Watched key={video} video={video} />
    </Dialog>
  );
}

function Watched({ video }: Pick<WatchDialogProps, 'video'>) {
  const [missing, setMissing] = useState(false);
  return missing ? (
    <p role="status">The video could not be loaded. Check the connection, then open it again.</p>
  ) : (
    <DemoVideo video={video} onMissing={() => setMissing(true)} />
  );
}
