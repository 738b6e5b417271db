/** Flasher documentation: how things are done. */
import { guidancePath, pagePaths, staticPages } from '@wirebench/contract/constants';
import { portNumbers } from '@wirebench/serial';
import { Link } from 'react-router';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';
import { boardFiles } from './board-files.tsx';
import { secureBoards } from './secure-boards.tsx';
import { storedSettings } from './stored-settings.tsx';

export const howTo: DocsGroup = {
  name: 'How to',
  sections: [
    {
      id: 'connecting-device',
      title: 'Connecting the device',
      body: (
        <>
          <p>
            Press Connect a board, pick it, and the page resets it into its bootloader through the control lines DTR and
            RTS. On boards without that circuit do it by hand: hold <Kbd>BOOT</Kbd>, press <Kbd>EN</Kbd>, release both.
          </p>
          <p>
            When a board does not answer, the page listens to its output and says why: it started its own program, it
            sends nothing at all, or its supply voltage dropped. If the board refuses a baud rate, the page tries a
            lower one. See{' '}
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
            is used. A file that cannot be placed needs an address from you; the pencil beside “Offset” opens the fields
            of all.
          </p>
          <p>
            The answer at the top says what will happen, in one sentence, and has the one button: connect, choose files,
            write, stop, flash again. It stays in view while you scroll. “What happens” says for each file if it
            replaces something, is on the board already, or is for another chip.
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
            (NVS) are kept by default, even when everything else is erased.
          </p>
          <Subheading id="cancel-and-resume" title="Cancel and resume" />
          <p>
            After a cancelled or interrupted flash, the page says what state the board is in. “Write the rest” connects
            the same board and skips verified regions.
          </p>
          <Subheading id="after-a-change" title="After a change" />
          <p>
            The board runs its program, you have built again: add the new files and press Write. It connects the board,
            compares, and writes what differs.
          </p>
          <Subheading id="receipt" title="Receipt" />
          <p>
            Each flash ends with a receipt: the hashes of the files and of the flash, the chip and its MAC address, the
            version and the time. You can copy and save it. This browser keeps a history of what was flashed on each
            board that has a unique ID, and when.
          </p>
          <Subheading id="set-up-wifi" title="Put the board on your Wi-Fi" />
          <p>
            After a write the Espressif flasher asks the program once whether it has Improv. If it has, and is on no
            network, <b>Set up Wi-Fi</b> lists the networks that the board sees; the password goes to the board only. An
            example is in the{' '}
            <Link to={`${pagePaths.uartDocs}#wifi-setup`} className="link">
              documentation of the terminal
            </Link>
            .
          </p>
          <Subheading id="refusals" title="What is refused" />
          <p>
            Before anything is erased, the page refuses firmware for another chip, damaged images, files that are no
            firmware at all (a web page that was saved in place of a download, an archive, a text), files that overlap
            or do not fit, a release for another board, and demo firmware on a real chip. Where it may still be right,
            such as on your own board with a different flash chip, or a text for a data partition, you can continue by
            typing the error code.
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
            The monitor opens by itself after a write; until then it is one line, as the log is. It has its own baud
            rate, in Settings, because a program often uses a different rate from the bootloader. A release can set it.
            An ESP8266 prints its boot log at 74880 baud. Save stores the boards’ output as a text file.
          </p>
          <DocsPicture
            name="flasher-done"
            alt="The flasher after a write: how much was written, how long it took, the memory map, and the monitor with what the board prints."
          >
            Written and verified: the board has restarted, and the monitor shows its output.
          </DocsPicture>
        </>
      ),
    },
    {
      id: 'using-releases',
      only: 'server',
      title: 'Using releases',
      body: (
        <p>
          “Flash this version” on a release page opens the flasher with everything filled in, and reduced to what a
          visitor needs: the release, Connect, Write, the result. “Files and settings” opens the rest. A project link
          always leads to the newest public version; a version link always leads to the same version. How to create such
          links is explained in the{' '}
          <Link to={`${pagePaths.releasesDocs}#sharing-releases`} className="link">
            documentation of the release manager
          </Link>
          .
        </p>
      ),
    },
    {
      id: 'files-from-a-manifest',
      title: 'Files from a manifest',
      body: (
        <>
          <p>
            The flasher opens firmware by its address, also from another host: paste it at “Load from release link”, or
            open <code>{staticPages.espFlasher}?manifest=https://…</code>. It takes a manifest of ESP Web Tools, a{' '}
            <code>flasher_args.json</code> of ESP-IDF, and the release page of another Wirebench server. The page names
            the host, and writes nothing by itself.
          </p>
          <p>
            A release can have a build for each of several chips. The page shows which ones; connect any of them, and
            its own build becomes the plan. The next board gets its own again, also in batch mode. A board without a
            build is refused with a sentence. Where a board does not report what decides, such as PSRAM beside the chip,
            “Build” lets you choose.
          </p>
          <p>
            The host has to send <code>Access-Control-Allow-Origin: *</code> with the manifest and the files; otherwise
            the browser lets no page read them. GitHub Pages and raw.githubusercontent.com do, the files of GitHub
            releases do not. If a manifest states SHA-256, the files are compared with it before they are used.
          </p>
        </>
      ),
    },
    {
      id: 'reading-and-erasing',
      title: 'Reading, backing up, erasing',
      body: (
        <>
          <p>
            While a board is connected, “On the board” lists what is in its flash. Open an entry to read it: its bytes,
            the app with its checks, the slots that can start, or the partition table. You can save each partition, any
            range of addresses or the whole flash to a file. The data is verified by its hash before it is saved.
          </p>
          <p>
            Whatever you change becomes part of the plan and is done with the next Write: an erase, a restored
            partition, another slot, another partition table. Until then a blue square marks the entry, and Undo takes
            the change back. If the board’s program has changed the contents in between, the plan says so and writes
            nothing.
          </p>
          <Subheading id="start-the-other-slot" title="Start the other slot" />
          <p>
            Open otadata, and press “Start the other slot”: the app there is read and checked first. Write then changes
            one sector of 4 KB, and both apps stay on the board. Example: after an update that does not connect, start
            ota_0 again and keep ota_1 for the analysis.
          </p>
          <Subheading id="edit-the-partition-table" title="Edit the partition table" />
          <p>
            Open “partition table”. Sizes are typed as 0x6000, 24K or 1M; an empty offset follows the partition before.
            Example: to make room for an app of 1.5 MB, set the size of ota_0 and ota_1 to 1536K and clear the offsets
            behind them. The page lists each partition whose data would no longer be found. No data is moved, so back up
            first what you need. “Save as CSV” writes the file that ESP-IDF reads.
          </p>
          <Subheading id="one-file" title="Save as one file, and backup sets" />
          <p>
            In the menu “…” of “On the board”, “Save as one file” joins the plan or the whole board into one .bin, .hex
            or .uf2, as esptool merge-bin does. A .bin fills gaps with FF and so erases stored settings when it is
            written; .hex and .uf2 leave them alone. A file of the whole board holds its passwords. “Back up partitions”
            saves chosen partitions with a manifest and hashes in one zip, and “Restore a backup” plans them again, also
            for another board with the same chip. Settings and radio calibration of that board stay.
          </p>
          <p>
            Boards whose firmware saves core dumps in flash (ESP-IDF: <code>CONFIG_ESP_COREDUMP_ENABLE_TO_FLASH</code>)
            have a partition for them: “Read the crash” reads it and shows why the board crashed, with the stacks of all
            tasks once you add the ELF file. The partition stays as it is until you erase it with a write. To try this
            without a board, connect the Demo ESP32 that crashed, from the other ways to connect a board.
          </p>
          <Subheading id="restore-a-backup" title="Restore a backup" />
          <p>
            The name of a backup ends with the address it was read from. Drop it on the page to write it back there:
            save stored settings (the partition nvs) before a change and restore them afterwards. To do so, switch off
            “Keep the settings stored on the board” in Settings; otherwise the settings on the board are kept.
          </p>
        </>
      ),
    },
    storedSettings,
    boardFiles,
    secureBoards,
    {
      id: 'several-boards',
      title: 'Several boards',
      body: (
        <>
          <p>
            “Add a board” connects up to {portNumbers.length} boards. Each has its own plan, progress and monitor;
            “Write all” writes the same files to all that are ready.
          </p>
          <Subheading id="batch-mode" title="Batch mode" />
          <p>
            For many boards with one image: switch on “Batch” in Settings, and every board that you have once allowed
            for this site is flashed as soon as it appears; while all {portNumbers.length} places are busy, further
            boards wait. A board that fails is listed with its chip and ID, and the others continue. A board without an
            ID, such as an Arduino Uno, counts as another board each time it is plugged in. The receipts of the session
            can be saved as a table (CSV).
          </p>
          <p>
            <b>Wi-Fi for each board…</b> asks once for a network. Each board of the batch whose program has Improv is
            put on it after its write, with a line for each board. The password stays in memory until the page is
            closed.
          </p>
        </>
      ),
    },
    {
      id: 'share-a-board',
      only: 'server',
      title: 'Share a board',
      body: (
        <>
          <p>
            “Share board” beside the title makes a link to the boards of this page, as it does in the{' '}
            <Link to={`${pagePaths.uartDocs}#sharing`} className="link">
              terminal
            </Link>
            . Guests see what you see in the monitor, and while the flasher works with a board they see the bytes of its
            bootloader’s protocol, both ways, but not the contents that are read from its flash, because these may
            contain passwords. The bar below the header stays while you share.
          </p>
          <DocsPicture
            name="share-flasher"
            alt="The flasher while its board is shared: below the header the bar with the number of guests, the request of a guest, and the button that stops sharing."
          >
            The board is planned for while two guests watch, and one of them asks to type.
          </DocsPicture>
          <p>
            While the flasher has a board, from connecting to the restart, no guest can type to it or use it: for guests
            its port is closed, and its name says “in the flasher”. After that, guests who may type reach it through
            your open monitor, and a guest who may use it can open it, also to flash it from another place.
          </p>
          <p>
            While a guest uses a board, this page does not connect or write it. The board’s card says who uses it, and
            “Take back” ends that at once. DFU devices on USB have no serial port and are not shared, and a board that
            somebody else shares with you is not shared on.
          </p>
        </>
      ),
    },
    {
      id: 'flash-a-shared-board',
      only: 'server',
      title: 'Flash a shared board',
      body: (
        <>
          <p>
            A board that somebody shares by a link can be flashed as if it were plugged in here. Press “Use a shared
            board”, paste the link, and ask to use the board; once whoever shares it agrees, Connect brings it into its
            bootloader, and plan, write, verification and receipt are as ever. On the page of the shared bench, “Flash
            this board” leads here and opens the link, with the rights that you have there.
          </p>
          <p>
            The blocks of a write wait for their answers, so a long way costs time. A connection that is lost ends the
            write after a few seconds, and never as a success: “Write the rest” goes on where it was. Whoever shares the
            board can take it back at any time.
          </p>
        </>
      ),
    },
  ],
};
