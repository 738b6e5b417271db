/** Terminal documentation: how things are done. */

import { guidancePath } from '@wirebench/contract/constants';
import { type AnyFraming, framingNames, framings, maxInputLength, showsDecoded } from '@wirebench/serial';
import { Link } from 'react-router';
import { longestHistory } from '../../../features/terminal/send/send-history.ts';
import { hasServer } from '../../../shared/edition.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

const optionsOf = ({ fields }: AnyFraming): string =>
  Object.values(fields)
    .map((field) => ('name' in field ? field.name : field.label))
    .join(', ') || '–';

/** The library of JKits, which a server keeps. */
function JkitLibrary() {
  return (
    <>
      <p>
        The library button of a panel opens three lists: your own JKits, those you have starred, and Explore, which
        finds shared ones as you type. The library needs an account: visitors see it disabled, with the reason. You see
        the messages of a JKit before you load it.
      </p>
      <p>
        You can rate other people’s JKits from one to five stars. The bookmark button stars a JKit, which keeps it under
        Starred. A panel that holds somebody else’s JKit sends its messages but does not let you edit them: Copy to my
        own makes them yours.
      </p>
      <DocsPicture
        name="jkit-library"
        alt="The JKit library with the Explore tab: a search for “demo”, and below it a JKit with its description, tags and messages."
      >
        A JKit that comes with Wirebench, before it is loaded.
      </DocsPicture>
      <p>
        <WatchButton video="jkits">Watch how a JKit is used</WatchButton>
      </p>
    </>
  );
}

export const howTo: DocsGroup = {
  name: 'How to',
  sections: [
    {
      id: 'connecting',
      title: 'Connecting',
      body: (
        <>
          <p>
            Press Connect on a port and pick the board. The browser asks once for each board; the arrow beside the
            button offers those that you have allowed before, and the demo device. While no port is open, the console
            lists the boards that are allowed and plugged in: one click connects a board with the port, name and
            settings it had before.
          </p>
          <p>
            A board that is unplugged reconnects automatically when it comes back, with the log as it was, unless you
            turn that off in the settings of its port. After you press Disconnect it stays disconnected.
          </p>
          <p>
            <b>Flash this port</b>, in the settings of an open port, takes the board to the flasher of its family. When
            you go back, the port opens again with its settings, and the log has what was before, the flash and the
            start.
          </p>
          <p>
            “Error connecting to Port 1: the device could not be opened” means that another program or tab has it open:
            see{' '}
            <Link to={guidancePath('port-access-denied')} className="link">
              Port access denied
            </Link>
            .
          </p>
        </>
      ),
    },
    {
      id: 'sending-data',
      title: 'Sending data',
      body: (
        <>
          <p>
            Enter sends to the selected port, whose flag is in the field; each Send button sends to its own port, and
            “All” to every open one. A line has at most {maxInputLength} characters. <Kbd>Esc</Kbd> leaves the field. A
            key that you press in the log goes to the field. The button beside the field says how the text is sent: each
            port keeps its own kind and line ending, and a Send button of another port sends what you see.
          </p>
          <DocsTable
            label="What the send field takes"
            head={['Input', 'What is sent']}
            rows={[
              ['Text', 'the text in UTF-8, with the line ending you chose: none, LF, CR or CRLF'],
              [
                'Hex',
                'the bytes, shown before you send them. 0D 0A, 0x0D, 0x0A, \\x0D and the lines of a C array are understood; each group of digits is padded with a leading 0',
              ],
              [
                'Escapes',
                'text in which \\n, \\r, \\t, \\0, \\xNN and \\u{…} are replaced by the bytes and characters they name',
              ],
            ]}
          />
          <Subheading id="paste-lines" title="Paste several lines" />
          <p>
            Several pasted lines are not sent at once. A strip above the field asks first: send them one by one, as one
            line, or put them into the field. After each line Wirebench waits for the prompt of your board if it has
            seen one, else it pauses for as long as you say. Stop ends it between two lines and says how many went.
          </p>
          <Subheading id="sent-history" title="History and hidden input" />
          <p>
            <Kbd>↑</Kbd> brings back what you sent, with its kind and line ending, <Kbd>Ctrl+R</Kbd> searches it. The
            last {longestHistory} messages are kept until you close the tab; “Forget history” deletes them. “Hide input”
            is for passwords: dots in the field, only the number of bytes in the log, in exports and at the guests of a
            shared bench, and nothing in the history. Guests of a shared bench can hide what they type from its host
            too. A pinned message can be hidden in the same way: “Hide in log and transcript” in its form leaves its
            name. A board that echoes what it gets still shows it.
          </p>
          <Subheading id="send-a-file" title="Send a file, repeat a message" />
          <p>
            A file is sent at line speed, as fast as the port accepts it, line by line, or in small pieces with pauses
            for devices with a small buffer; you can cancel it. “Start” beside “Repeat” sends what is in the field at
            the interval you choose until you stop it.
          </p>
          <Subheading id="transfer-a-file" title="Transfer a file by XMODEM, YMODEM or ZMODEM" />
          <p>
            Bootloaders and Linux consoles exchange files by these protocols, which confirm every block. Start the
            transfer on the board, such as with <code>loady</code> in U-Boot or <code>rz</code> in a shell: the terminal
            notices that the board waits and offers to choose a file. With <code>sz</code> it offers to receive. Without
            an offer, choose “Send a file…” and the protocol, or “Receive a file…”. The log goes on after the transfer;
            “Stop” ends it on both sides. Received files wait above the message field until you save them. ZMODEM goes
            on where an interrupted transfer ended: receive the file again, or send it with “Continue a partial file”.
          </p>
        </>
      ),
    },
    {
      id: 'managing-devices',
      title: 'Managing devices',
      body: (
        <p>
          Panels can be renamed, collapsed and removed. Messages can be edited, moved up and down, and moved or copied
          to another panel. Deleting one takes a second click within three seconds. Panels are saved in this browser.
        </p>
      ),
    },
    {
      id: 'using-jkits',
      title: 'Using JKits',
      body: (
        <>
          {hasServer ? <JkitLibrary /> : null}
          <p>
            {hasServer ? 'Without an account you can still open a JKit: drop' : 'To open a JKit, drop'} a file on a
            panel
            {hasServer ? (
              <>
                , or follow a link with <code>?jkit=</code>
              </>
            ) : null}
            . Any panel can be exported as a file.
          </p>
        </>
      ),
    },
    {
      id: 'advanced-features',
      title: 'Advanced features',
      body: (
        <>
          <Subheading id="select-and-copy" title="Select and copy" />
          <p>
            Drag over the text to select it, beyond the edges if you like; drag over the times to select whole rows. A
            double click selects a word, a triple click the line. <Kbd>Shift</Kbd> with a click or an arrow key extends
            the selection, and <Kbd>Ctrl</Kbd> <Kbd>A</Kbd> selects the whole log. Copied is the text as you see it, one
            line a row; “Copy with times” adds times, ports and directions. On a phone, hold a line, then tap another
            one.
          </p>
          <p>
            Text is shown as a terminal would show it: colours, backspaces and overwritten lines included. “Control
            bytes” in “View” shows the bytes instead. Web addresses can be opened, after you have seen the whole
            address: click one, or select in it and press <Kbd>Enter</Kbd>.
          </p>
          <Subheading id="plot" title="Plot" />
          <p>
            Numbers in lines (name:value, name=value, columns separated by commas, semicolons or tabs) are plotted as
            they arrive. The plot can be paused and zoomed, and exported as a picture or a table.
          </p>
          <DocsPicture
            name="terminal-plot"
            alt="The plot below the log: one curve of the readings of an analog input, with its newest value."
          >
            Readings of an analog input, one every 50 ms.
          </DocsPicture>
          <Subheading id="rules" title="Rules" />
          <p>
            “Tools”, “Rules” makes the log work for you: a rule colours, marks and counts lines, notes them on the
            screen, beeps, notifies the desktop, answers a prompt, runs the messages of its panel, or records. Its
            condition is what Find takes, a silence, or a limit of a plotted value. Start from a ready-made one.{' '}
            <Kbd>⇧N</Kbd> and <Kbd>⇧P</Kbd> go through marked lines.
          </p>
          <p>
            A rule is about the port of its panel, or about all ports. Without a port it rests, and says so. A new rule
            counts the lines that are there, and acts on later ones only, also while the tab is hidden. An answer that
            triggers itself is switched off. In an opened log the same rules colour, mark and count.
          </p>
          <p>
            Rules travel with the JKit of their panel, in a file, and with a release whose terminal set-up names such a
            JKit. What others wrote sends, runs and records nothing until you allow it.
          </p>
          <Subheading id="crashes" title="Crashes" />
          <p>
            A Guru Meditation, a backtrace or a reset of an ESP board is recognised and explained. So are faults of an
            ARM Cortex-M (STM32, nRF, RP2040 and others), by its status registers, and crashes of Zephyr and the nRF
            Connect SDK, ESPHome, Tasmota, Rust, Mbed OS and CmBacktrace. Drop the ELF file of the firmware on the page,
            and every address is shown as a function, a file and a line, also those in ordinary lines of the log. The
            file stays on this computer.
          </p>
          <p>
            A <em>core dump</em> shows more: every task with its stack, its registers and how much of its stack it has
            used. A board that prints its core dump (ESP-IDF: <code>CONFIG_ESP_COREDUMP_ENABLE_TO_UART</code>) needs
            nothing else: in the log the dump is one row, from which it is opened, and whose lines are shown on request;
            they are searched, copied and exported as all others. One that was saved in flash or in a file can be
            dropped on the page: the content of the <code>coredump</code> partition, the printed text, or an ELF core
            file. Core dumps of Zephyr (<code>CONFIG_DEBUG_COREDUMP_BACKEND_LOGGING</code>) are read in the same way:
            they hold the thread that crashed. With the ELF file of the same build, tasks have names, and every frame
            has its function and line, its parameters and its local variables; the dump says which build it needs. A
            variable that the compiler kept nowhere, or whose memory is not in the dump, says so.
          </p>
          <p>
            A crash that happens again is marked as the same crash: its first functions of your own are compared, so it
            is recognised in a new build too. <em>Compare with…</em> puts two dumps side by side: their frames, with
            what is different marked, and their registers. <em>Save ELF core</em> saves a file for GDB. To try all of
            this without a board, type <code>crash null</code>, <code>crash assert</code>, <code>crash watchdog</code>,{' '}
            <code>crash stack</code> or <code>crash task</code> on the demo device, and use the demo’s ELF file.
          </p>
          <DocsPicture
            name="terminal-crash"
            alt="The Crashes tab: a crash on port 1 is explained as a read from an address that the program may not read, most often a null pointer."
          >
            A crash of the demo device: what happened, and how to find out where.
          </DocsPicture>
          <DocsPicture
            name="terminal-core-dump"
            alt="In the log a core dump is one row, with its number of lines, its size, and links to open it and to show its lines. In the Crashes tab below it are its tasks and the innermost frame of the crashed one."
          >
            Its core dump: one row in the log, opened in the Crashes tab with the ELF file.
          </DocsPicture>
          <Subheading id="baud-finder" title="Baud finder" />
          <p>
            It listens at one rate after another and ranks them by how readable the result is. Nothing is sent: the
            board has to send something by itself. The port is reopened for each rate, so a board that resets when its
            port is opened, as an Arduino Uno does, resets at each rate. Boards with Espressif’s auto-reset circuit do
            not.
          </p>
          <Subheading id="board-files" title="Files of a MicroPython board" />
          <p>
            When a board shows the banner of MicroPython or CircuitPython, “Board files” is offered above the send bar;
            the Tools menu has it for every port. The port stays open. Files can be opened, edited, saved, renamed,
            deleted, uploaded and downloaded, also by drag and drop, and “Run” shows the output in the log. “Compare a
            folder” lists by hash what differs before anything is written. Each file is written under a temporary name,
            verified on the board and renamed, so that no half file is left under its own name. A running program is
            interrupted only after a question; “Soft reset”, or leaving the tool, starts it again. Before a flash, “Save
            all as zip” keeps the files, and “Put back from zip” restores them. CircuitPython works by its
            documentation; it has not been tried.
          </p>
          <Subheading id="wifi-setup" title="Put a board on your Wi-Fi" />
          <p>
            Programs with Improv (ESPHome, Tasmota, WLED and others) take a network over the serial port. Open the
            board’s port, then <b>Set up Wi-Fi (Improv)…</b> under Tools. The board lists the networks that it sees
            itself; choose one, or type a hidden one under “Other network…”. After the password it connects, and most
            boards answer with the address of their page. The port stays open all the time.
          </p>
          <p>
            An example with the demo: connect the Demo ESP32 in the Espressif flasher, flash it with its demo firmware,
            and set up Wi-Fi there, or in the terminal. The board sees <code>Workbench</code> and{' '}
            <code>Café Gäste</code>; the password of the first is <code>solder-and-flux</code>. With another password it
            says, as a real board does, only that it could not connect.
          </p>
          <p>
            The password goes to the board and nowhere else. The log has “Improv: network settings sent (SSID
            Workbench)”, and asterisks wherever the board echoes or prints the password. Recordings, exports and guests
            of a shared bench get the same.
          </p>
          <Subheading id="binary-protocols" title="Binary protocols" />
          <p>
            “Split lines” in the port’s settings says how received bytes are divided into lines, or frames. It applies
            from then on; what has been received stays as it is.
          </p>
          <DocsTable
            label="Where lines can end"
            head={['Split lines', 'What it is for', 'What it needs', 'What rows show']}
            rows={framingNames.map((name) => [
              framings[name].title,
              framings[name].use,
              optionsOf(framings[name]),
              showsDecoded(name) ? 'Decoded frames' : 'Bytes as received',
            ])}
          />
          <p>
            The hex view draws a line above each frame and counts offsets from its first byte. Frames are decoded once
            they are whole, without escapes and check sequences; find, filters, plots and text exports see the decoded
            bytes, too. The raw export and recordings keep every byte as it arrived.
          </p>
          <p>
            A frame of Modbus RTU ends after a gap of 3.5 characters, or of 1.75 ms above 19,200 baud. USB bridges
            deliver the pieces of a frame late, so one whose CRC is not right yet is waited for 16 ms longer. Two frames
            that arrive in one piece are one line, and marked as invalid.
          </p>
          <p>
            A frame that broke its rules, or has a wrong check sequence, is shown with its bytes as they arrived, and
            marked: “Invalid frame”, “Incomplete frame” when the connection ended in it, or “Frame too long” when it
            outgrew a quarter of the port’s buffer.
          </p>
        </>
      ),
    },
  ],
};
