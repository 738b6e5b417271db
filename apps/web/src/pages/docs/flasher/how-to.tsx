/** Flasher documentation: how things are done. */
import { guidancePath, pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const howTo: DocsGroup = {
  name: 'How to',
  sections: [
    {
      id: 'connecting-device',
      title: 'Connecting the device',
      body: (
        <>
          <p>
            Press Choose port, pick the board, and the page resets it into its bootloader through the control lines DTR
            and RTS. On boards without that circuit do it by hand: hold <Kbd>BOOT</Kbd>, press <Kbd>EN</Kbd>, let go of
            both.
          </p>
          <p>
            When a board does not answer, the page listens to what it prints and says why: that it started its own
            program, that nothing comes at all, or that the supply broke down. See{' '}
            <Link to={guidancePath('boot-mode-required')} className="link">
              Boot mode required
            </Link>
            .
          </p>
        </>
      ),
    },
    {
      id: 'flashing-firmware',
      title: 'Flashing firmware',
      body: (
        <>
          <p>
            Drop one file or all of them. A bootloader, a partition table and an application are recognised by their
            contents and placed; a build’s own list of files (<code>flasher_args.json</code>, an ESP Web Tools manifest)
            is followed. What cannot be placed says so and waits for an address.
          </p>
          <DocsPicture
            name="flasher-plan"
            alt="The flasher before a write: the chip that was detected, three files with their addresses, and a memory map that shows what is written, what is there already and what stays."
          >
            Before anything is erased: two of three files are on the board already.
          </DocsPicture>
          <Subheading id="what-stays" title="What stays" />
          <p>
            Only the sectors that the files cover are erased, unless you choose to erase everything. Stored settings
            (NVS) are kept by default, also when everything else goes.
          </p>
          <Subheading id="cancel-and-resume" title="Cancel and resume" />
          <p>
            A cancelled or interrupted flash says in which state the board is. Connect the same board again and flash
            again: what was verified is skipped.
          </p>
          <Subheading id="receipt" title="Receipt" />
          <p>
            Each flash ends with a receipt: the hashes of the files and of the flash, the chip and its MAC address, the
            version and the time. It can be copied and saved, and is kept in this browser as the history of that board.
          </p>
        </>
      ),
    },
    {
      id: 'monitoring-output',
      title: 'Monitoring output',
      body: (
        <>
          <p>
            The monitor has its own baud rate, because a program often talks at another rate than the bootloader. A
            release can bring it along. An ESP8266 prints its boot log at 74880 baud.
          </p>
          <DocsPicture
            name="flasher-done"
            alt="The flasher after a write: how much was written, how long it took, the memory map, and the monitor with what the board prints."
          >
            Written and verified; the board has restarted, and the monitor shows what it says.
          </DocsPicture>
        </>
      ),
    },
    {
      id: 'using-releases',
      title: 'Using releases',
      body: (
        <p>
          “Flash this version” on a release page opens the flasher with everything filled in. A project link always
          means the newest public version; a version link stays with its version. How to make such links is explained in
          the{' '}
          <Link to={`${pagePaths.releasesDocs}#sharing-releases`} className="link">
            documentation of the release manager
          </Link>
          .
        </p>
      ),
    },
  ],
};
