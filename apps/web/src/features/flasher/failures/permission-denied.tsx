import { FailureCard } from '../../../workbench/failure-card.tsx';
import { useFlash } from '../store/flasher-store.ts';
import { AnotherPort, BoardIsLeft, Dismiss } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** Words of browsers' site settings: serial ports and USB devices are two permissions. */
const guarded = {
  serial: { many: 'serial ports', setting: 'Serial ports', one: 'port' },
  usb: { many: 'USB devices', setting: 'USB devices', one: 'device' },
} as const;

/** Shown if the browser itself refused, because of the user's setting or an administrator's policy. */
export function PermissionDenied({ port, failure, topic }: FailureProps) {
  const usb = useFlash((flash) => flash.usb);
  const { many, setting, one } = guarded[usb ? 'usb' : 'serial'];
  return (
    <FailureCard
      topic={topic}
      title={`This browser does not let the page open ${many}`}
      badge="Permission"
      steps={[
        { title: 'Open the site settings with the icon to the left of the address' },
        { title: `Set ${setting} to Ask` },
        { title: `Choose the ${one} again` },
      ]}
      actions={
        <>
          <AnotherPort port={port} main />
          <Dismiss port={port} />
        </>
      }
    >
      <p>If an organisation manages this browser, only its administrators may be able to allow it.</p>
      <BoardIsLeft failure={failure} />
    </FailureCard>
  );
}
