/** Terminal documentation: benches that are shared by a link. */
import type { DocsSection } from '../docs-model.ts';
import { DocsTable } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const watchASharedBench: DocsSection = {
  id: 'watch-a-shared-bench',
  only: 'server',
  title: 'Watch a shared bench',
  body: (
    <>
      <p>
        Open the link that you were given, and say once what you are called: whoever shares the bench sees your name,
        and so do other guests. You then see what the shared ports receive and send, live and with its times. The log is
        your own: find, filter, hex, plots, crash decoding, recording and export work as in your own terminal, and go on
        working when sharing has ended.
      </p>
      <DocsPicture
        name="share-guest"
        alt="The page of a guest: who shares the bench and what the guest may do in a line below the ports, the port as it is set up there, and the log."
      >
        A guest who may type has sent a command.
      </DocsPicture>
      <DocsTable
        label="What a guest may do with a port"
        head={['Right', 'What it allows']}
        rows={[
          ['watch', 'everyone who has the link: see what passes'],
          ['type', 'send to the port: the send field, pinned messages, JKits and files'],
          [
            'use',
            'open the port as if the board were plugged in where you are: rate, DTR and RTS, reset, bootloader. The terminal of whoever shares lets go of it meanwhile, and can take it back at any time',
          ],
        ]}
      />
      <p>
        “Ask to type” asks whoever shares for the next right; it holds for you and that port alone. With the right to
        use a port, “Use port 1” opens it, and “Give port 1 back” returns it.
      </p>
      <p>
        While your connection or that of the host is lost, nothing is typed: the field says so, and keeps what is in it.
        What passes while your connection is lost is fetched when it is back, up to 4 MB of all ports together; the log
        says how many bytes are missing beyond that, and where. Beside the log stand the round trip and how far the log
        is behind the board. Lines from before you came are shown if the host lets guests see them; they stand between
        two notices. A reloaded page begins with an empty log, and keeps your rights.
      </p>
      <p>
        The browsers seal what passes; the server hands it on and cannot read it. The key is the part of the link behind
        “#”: a link without it opens nothing. Whoever has the whole link can watch, so treat it like a password.
        Watching needs no Web Serial: any current browser will do, also on a phone.
      </p>
    </>
  ),
};
