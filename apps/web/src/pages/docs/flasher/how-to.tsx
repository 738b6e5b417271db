/** Flasher documentation: how things are done. */
import { guidancePath, pagePaths } from '@wirebench/contract/constants';
import { portNumbers } from '@wirebench/serial';
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
            program, that nothing comes at all, or that its supply voltage dropped. A baud rate that the board refuses
            is lowered automatically. See{' '}
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
            version and the time. It can be copied and saved. What was flashed and when is kept in this browser as the
            history of that board.
          </p>
          <Subheading id="refusals" title="What is refused" />
          <p>
            Before anything is erased the page refuses firmware for another chip, damaged images, files that overlap or
            do not fit, a release for another board, and demo firmware on a real chip. Where it can be right all the
            same, such as on a board of your own with another flash, you may insist by typing the code of the refusal.
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
            release can bring it along. An ESP8266 prints its boot log at 74880 baud. Save keeps what the boards said as
            a text file.
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
    {
      id: 'reading-and-erasing',
      title: 'Reading, backing up, erasing',
      body: (
        <>
          <p>
            While a board waits, “On the board” lists what stands in its flash. Each partition, any stretch by its
            addresses, and all of the flash can be saved to a file and erased; an erase asks first. What was read is
            proven by its hash before it becomes a file.
          </p>
          <Subheading id="restore-a-backup" title="Restore a backup" />
          <p>
            The name of a backup ends in the address that it was read from. Dropped on the page it goes back there:
            stored settings (the partition nvs) can be saved before a change and written back after it. Switch off “Keep
            the settings that the board has stored” for that: else they are kept from the file, too.
          </p>
        </>
      ),
    },
    {
      id: 'several-boards',
      title: 'Several boards',
      body: (
        <>
          <p>
            “Add a board” connects up to {portNumbers.length} boards. Each has a plan, a progress and a monitor of its
            own; “Write all” writes the same files to all that are ready.
          </p>
          <Subheading id="bench-mode" title="Bench mode" />
          <p>
            For many boards with one image: switch on “Flash each board that is plugged in”, and every board that this
            site was allowed to use once is flashed as soon as it appears; while all {portNumbers.length} places are at
            work, the next ones wait. What failed is named with its chip and id, and the others go on. The receipts of
            the session can be saved as a table (CSV).
          </p>
        </>
      ),
    },
  ],
};
