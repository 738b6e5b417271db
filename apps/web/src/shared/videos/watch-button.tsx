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
  const [missing, setMissing] = useState(false);
  const show = () => {
    setMissing(false);
    setOpen(true);
  };
  return (
    <>
      <Button icon={<CirclePlay />} aria-haspopup="dialog" onClick={show}>
        {children}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={children} size="lg">
        {missing ? (
          <p role="status">The video could not be loaded. Check the connection, then open it again.</p>
        ) : (
          <DemoVideo video={video} onMissing={() => setMissing(true)} />
        )}
      </Dialog>
    </>
  );
}
