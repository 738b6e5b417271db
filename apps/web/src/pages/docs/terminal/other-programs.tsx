/** Terminal documentation: a port of a shared bench in programs that are no browsers. */
import type { DocsSection } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';

const start = "node remote-port.mjs 'https://…/live.html?id=…#…' --port 1";

const url = 'rfc2217://127.0.0.1:4000';

/** Commands by program, for the default port on which the program listens. */
const commands: readonly (readonly [string, string])[] = [
  ['esptool', `esptool --port ${url} flash_id`],
  ['ESP-IDF', `idf.py -p ${url} flash monitor`],
  ['PlatformIO, upload', `pio run -t upload --upload-port ${url}`],
  ['PlatformIO, monitor', `pio device monitor -p ${url} -b 115200`],
  ['pySerial’s miniterm', `python -m serial.tools.miniterm ${url} 115200`],
  ['PuTTY', 'putty -telnet 127.0.0.1 4000'],
];

export const otherPrograms: DocsSection = {
  id: 'other-programs',
  only: 'server',
  title: 'Use the board from esptool, PlatformIO and other programs',
  body: (
    <>
      <p>
        If somebody shares a board with you, you can use it from programs on your computer as if it were plugged in
        there. A small program makes the shared port a serial port at 127.0.0.1, by RFC 2217. It needs{' '}
        <a href="https://nodejs.org/" className="link" target="_blank" rel="noreferrer">
          Node
        </a>{' '}
        20 or newer and nothing else. Download{' '}
        <a href="/remote-port.mjs" download className="link">
          remote-port.mjs
        </a>
        , and start it with the link that you were given, in quotes:
      </p>
      <CodeBlock name="Terminal" text={start} />
      <p>
        It joins the bench, asks for the right to use the port, and waits until the other person allows it. Then it
        prints lines to paste. It says when rights change, when the board is unplugged, and when the connection is lost
        or back. Ctrl+C closes the port, releases its control lines and leaves.
      </p>
      <p>
        The link is a secret: whoever has it can watch the bench, and other people on your computer can see command
        lines. Started without a link, the program asks for it, or takes it from the variable{' '}
        <code>WIREBENCH_LINK</code>. <code>--help</code> lists the options.
      </p>
      <DocsTable
        label="What other programs are started with"
        head={['Program', 'Command']}
        rows={commands.map(([program, command]) => [program, <code key={program}>{command}</code>])}
      />
      <Subheading id="other-programs-tried" title="What has been tried" />
      <p>
        esptool and pySerial’s client are tried with simulated boards: reset into the bootloader, writing, verifying and
        reading, with every byte of flash compared. The other lines follow the documentation of their programs. Resets
        are played where the board is, with the pauses that were meant, so a slow network does not spoil them.
      </p>
      <Subheading id="other-programs-limits" title="What does not work" />
      <p>
        One program can use the port at a time. Seven or eight data bits, no, even or odd parity, one or two stop bits
        and hardware flow control are what the browser at the board has. esptool recognises boards with their own USB by
        IDs that RFC 2217 does not carry, and treats them like boards with a USB bridge: for these, use the flasher
        here. Plain TCP (<code>socket://</code>) is refused, so that no page in a browser can write to the board.
      </p>
      <p>
        On Windows, programs that only know COM ports need a virtual COM port program that speaks RFC 2217 in between,
        such as com0com with hub4com. That has not been tried. Programs that take an address, such as esptool, need
        none.
      </p>
    </>
  ),
};
