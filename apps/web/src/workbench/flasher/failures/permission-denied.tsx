import { FailureCard } from '../failure-card.tsx';
import { AnotherPort, Dismiss } from './failure-parts.tsx';
import type { FailureProps } from './failure-props.ts';

/** The browser itself refused: a setting of the person's, or one of who manages the browser. */
export function PermissionDenied({ port, failure, topic }: FailureProps) {
  return (
    <FailureCard
      topic={topic}
      title="This browser does not let the page open serial ports"
      badge="Permission"
      steps={[
        { title: 'Open the site settings from the icon left of the address' },
        { title: 'Set Serial ports to Ask' },
        { title: 'Choose the port again' },
      ]}
      actions={
        <>
          <AnotherPort port={port} />
          <Dismiss port={port} />
        </>
      }
    >
      <p>A browser that is managed by an organisation may forbid it: then only its administrators can allow it.</p>
      {failure.detail === null ? null : (
        <p>
          <code>{failure.detail}</code>
        </p>
      )}
    </FailureCard>
  );
}
