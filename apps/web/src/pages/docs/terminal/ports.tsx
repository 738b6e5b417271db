/** Terminal documentation: what the screen is made of. */
import { jkitLimits } from '@wirebench/contract/constants';
import { defaultPortSettings, maxInputLength, portNumbers } from '@wirebench/serial';
import { maxPanels, maxPinnedMessages } from '../../../features/terminal/panels/model/panel-failure.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

const jkitSample = `{
  "fields": [
    "AT",
    { "content": "AT+GMR", "type": "ascii", "expect": "OK", "timeoutMs": 2000 },
    { "content": "01 03 00 00 00 01 84 0A", "type": "hex", "delayMs": 100 }
  ],
  "settings": { "lineEnding": true }
}`;

export const ports: DocsGroup = {
  name: 'Work with ports',
  sections: [
    {
      id: 'multi-port',
      title: 'Multi-port',
      body: (
        <>
          <p>
            There are {portNumbers.length} ports. Each has a number, a colour, settings of its own and a name: “Port 1”
            to “Port 4” until you rename them, and again when you leave the name empty.
          </p>
          <p>
            All ports share one time line: lines stand in the order in which they came, whoever sent them. The ports
            menu of the console mutes a port or shows it alone; “Split by port” gives each port a pane with its own
            scroll position. The lanes above the log show which ports were busy during the last minute: click a time to
            see its lines. In a small window the lanes are hidden, and what is needed less often is behind More and Send
            options.
          </p>
          <p>
            Ports stay open while you move about in Wirebench. Leaving the page with open ports asks first. If another
            tab of yours holds the board, the tabs find each other and say so.
          </p>
        </>
      ),
    },
    {
      id: 'message-handling',
      title: 'Message handling',
      body: (
        <>
          <p>
            Received bytes are cut into lines at line feeds. Nothing is dropped and nothing is changed: bytes that are
            no valid text are shown as such, and the raw export has them exactly.
          </p>
          <Subheading id="find-and-filter" title="Find and filter" />
          <p>
            <Kbd>/</Kbd> or <Kbd>Ctrl+F</Kbd> opens the find field. Words and quoted words all have to stand in a line.
            “Show only lines that match” turns the search into a filter, and exports can be limited to what it shows.
          </p>
          <DocsTable
            label="What the find field takes"
            mono
            head={['You type', 'Finds']}
            rows={[
              ['wifi "no ip"', 'lines with both, the second with its space'],
              ['not:heartbeat', 'lines without the word'],
              ['/t=\\d+/i', 'a regular expression, here in any case'],
              ['hex:"B5 62"', 'bytes'],
              ['port:1,2', 'lines of these ports'],
              ['dir:rx,tx,notice', 'received, sent, or what the terminal says itself'],
              ['level:warning,error', 'notices and log lines of these levels'],
            ]}
          />
          <DocsPicture
            name="terminal-find"
            alt="The find field has “level:warning,error” in it, and the log shows four lines: a warning and an error of each of two ports."
          >
            What hides lines leaves them in the buffer: an empty field brings them back.
          </DocsPicture>
          <p>
            Regular expressions are JavaScript’s, without lookaround and backreferences: in exchange none of them can
            ever hold up the terminal.
          </p>
          <Subheading id="export-and-record" title="Export and record" />
          <p>
            Export gives a text file with times, the raw bytes of a port, or a table (CSV), named by the time. A
            recording goes to disk as the bytes come and can run for hours, longer than the buffer reaches back.
          </p>
        </>
      ),
    },
    {
      id: 'pinned-devices',
      title: 'Pinned devices',
      body: (
        <>
          <p>
            A device panel keeps the messages of one device. Pin a message once, then send it with a click to the
            panel’s target port. A message can wait for an answer before the next is sent: “Run all” then works like a
            small script.
          </p>
          <DocsTable
            label="Limits of panels"
            head={['What', 'Limit']}
            rows={[
              ['Panels', `${maxPanels}`],
              ['Messages in a panel', `${maxPinnedMessages}`],
              ['Characters in a message', `${maxInputLength}`],
              ['The same message twice in a panel', 'refused: the one that is there is highlighted'],
              ['Hex', 'whole bytes: an even number of digits'],
            ]}
          />
          <DocsPicture
            name="terminal-panel"
            alt="A device panel with five pinned commands, each with a button that sends it; its target is port 1."
          >
            A panel with commands for the demo device.
          </DocsPicture>
          <p>
            When the target port disconnects, the panel’s target becomes “No target”, so that nothing is ever sent to
            another device by accident.
          </p>
        </>
      ),
    },
    {
      id: 'jkits-cloud',
      title: 'JKits cloud',
      body: (
        <>
          <p>
            A JKit is a panel’s set of messages under a name. Signed in, you keep your own in five slots, share them,
            and find, star and rate those of others. Loading one replaces the messages of the panel.
          </p>
          <p>
            A JKit is plain JSON. Each entry of “fields” is a text, or an object that says whether it is hex or text.
          </p>
          <CodeBlock name="jkit.json" text={jkitSample} />
          <DocsTable
            label="Limits of JKits"
            head={['What', 'Limit']}
            rows={[
              ['Messages that are loaded', `the first ${jkitLimits.messages}, with a warning`],
              ['Characters in a message', `${jkitLimits.messageMaxLength}; longer ones are cut, with a warning`],
              ['Name', `${jkitLimits.nameMaxLength} characters`],
              ['Description', `${jkitLimits.descriptionMaxLength} characters`],
              ['Tags', `${jkitLimits.tags} of ${jkitLimits.tagMaxLength} characters`],
              ['The whole content', `${jkitLimits.contentSize / 1_024} KiB`],
            ]}
          />
        </>
      ),
    },
    {
      id: 'display-modes',
      title: 'Display modes',
      body: (
        <>
          <p>
            <Kbd>Shift+H</Kbd> turns the log from text to hex and back. In hex each row has its offset, up to sixteen
            bytes, and the same bytes as characters. The choice is remembered.
          </p>
          <DocsPicture
            name="terminal-hex"
            alt="The log in hex: offsets, two groups of eight bytes in each row, and the characters beside them."
          >
            The same log as bytes. What you mark in it is explained below: as text, integers, a float and bits.
          </DocsPicture>
          <p>
            The Time menu shows times (clock, since start, or since the previous line), direction marks, line endings
            and control bytes; the console options offer compact rows, activity lanes and wrapping. ANSI colours are
            shown.
          </p>
          <p>
            The log follows the newest line until you scroll up. Then it stays where you read and counts what is new;{' '}
            <Kbd>End</Kbd> follows again.
          </p>
        </>
      ),
    },
    {
      id: 'flow-control',
      title: 'Flow control',
      body: (
        <>
          <p>
            “RTS/CTS” lets the hardware stop the other side when one cannot keep up. Both sides must be wired and set
            for it; most boards use none ({defaultPortSettings.flowControl}), which is the default.
          </p>
          <p>
            When a port is opened DTR is raised and RTS is not. Both can be switched by hand, and “Reset board” and
            “Boot mode” move them in the order that the usual auto-reset circuit expects.
          </p>
        </>
      ),
    },
  ],
};
