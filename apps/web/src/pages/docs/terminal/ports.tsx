/** Terminal documentation: what the screen is made of. */

import { jkitLimits } from '@wirebench/contract/constants';
import { defaultPortSettings } from '@wirebench/port';
import { maxInputLength, portNumbers } from '@wirebench/serial';
import { maxPanels, maxPinnedMessages } from '../../../features/terminal/panels/model/panel-failure.ts';
import { hasServer } from '../../../shared/edition.ts';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

export const jkitSample = `{
  "fields": [
    "AT",
    { "content": "AT+GMR", "type": "ascii", "expect": "OK", "timeoutMs": 2000 },
    { "content": "01 03 00 00 00 01 84 0A", "type": "hex", "delayMs": 100 }
  ],
  "settings": { "lineEnding": true }
}`;

/** Worked through in the text: captures a seed and unlocks with it. */
export const branchSample = `{
  "fields": [
    {
      "content": "seed?",
      "timeoutMs": 2000,
      "flow": {
        "answers": [
          { "expression": "/seed=(\\\\w+)/" },
          { "text": "busy", "go": "again" },
          { "text": "locked", "go": { "stop": "failed", "say": "The board is locked" } }
        ],
        "otherwise": { "to": "Reset" }
      }
    },
    {
      "content": "unlock {1}",
      "timeoutMs": 2000,
      "flow": { "insert": true, "answers": [{ "text": "OK", "go": { "stop": "passed" } }] }
    },
    { "content": "reset", "label": "Reset" }
  ]
}`;

/** Worked through in the text: sent by Run all. */
export const runSample = `{
  "fields": [
    { "content": "AT", "expect": "OK", "timeoutMs": 2000 },
    { "content": "AT+CSQ", "expect": "+CSQ:", "repeat": 3, "delayMs": 1000 },
    { "content": "1A", "type": "hex" }
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
            There are {portNumbers.length} ports. Each has a number, a colour, its own settings and a name: “Port 1” to
            “Port 4” until you rename them, or when you leave the name empty.
          </p>
          <p>
            All ports share one timeline: lines appear in the order in which they arrived, whichever port they came
            from. Click the number of a free port to connect another board. View mutes a port or shows it alone; “Split
            by port” gives each port its own pane and scroll position. From two open ports on, the lanes above the log
            show which ports were busy during the last minute: click a spot to see the lines from that time. In a small
            window the lanes are hidden, and what is needed less often is behind More.
          </p>
          <p>
            Ports stay open while you go from the terminal to the home page, {hasServer ? 'the release manager, ' : ''}
            the ESP32 bench’s start page or the documentation, and back. The flashers, the ESP32 bench
            {hasServer ? ', release pages and joined benches' : ' and opened logs'} are pages of their own: opening one
            in the same tab closes the ports, and Wirebench asks first. If another of your tabs has the board open, this
            one says so.
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
            Received bytes are split into lines at line feeds. Nothing is dropped and nothing is changed: bytes that are
            not valid text are marked, and the raw export contains them exactly.
          </p>
          <Subheading id="find-and-filter" title="Find and filter" />
          <p>
            <Kbd>/</Kbd> or <Kbd>Ctrl+F</Kbd> opens the find field. A line matches when it contains all words and quoted
            phrases. “Show only lines that match” turns the search into a filter, and exports can be limited to what it
            shows.
          </p>
          <DocsTable
            label="What the find field takes"
            mono
            head={['You type', 'Finds']}
            rows={[
              ['wifi "no ip"', 'lines with both, the second with its space'],
              ['not:heartbeat', 'lines without the word'],
              ['/t=\\d+/i', 'a regular expression, here ignoring case'],
              ['hex:B5 62', 'bytes'],
              ['port:1,2', 'lines of these ports'],
              ['dir:rx,tx,notice', 'received, sent, or messages of the terminal itself'],
              [
                'level:warning,error',
                'notices and log lines of these levels (ESP-IDF, Arduino, ESPHome, Zephyr and others)',
              ],
            ]}
          />
          <DocsPicture
            name="terminal-find"
            alt="The find field has “level:warning,error” in it, and the log shows four lines: a warning and an error of each of two ports."
          >
            Hidden lines stay in the buffer: empty the field to bring them back.
          </DocsPicture>
          <p>
            Regular expressions are JavaScript’s, without lookaround and backreferences. In return, no expression can
            block the terminal.
          </p>
          <Subheading id="export-and-record" title="Export and record" />
          <p>
            “Save” has two halves. What is here already is exported as a text file with times, the raw bytes of a port,
            or a table (CSV), named after the time. What comes from now on is recorded: as text with times in both
            directions, as the received bytes of each port, or as both.
          </p>
          <p>
            A recording is written to disk as it arrives, also in a hidden tab. It can run for hours, far longer than
            the buffer can hold, and several can run at once. Choose a size in MB to begin a new file whenever one is
            full; no line is cut in two. “Stop” shows the size and the time, and downloads the file. Several files come
            as one zip archive.
          </p>
          <p>
            “Recordings in this browser” lists them, also those that a crash or a closed page ended: download or delete
            them there. In Chrome and Edge a recording can go into a folder of your computer instead. In Firefox, and in
            Chrome and Edge before version 108, stop a recording before you close the tab: its last part is saved only
            then.
          </p>
          <Subheading id="open-a-log" title="Open a log" />
          <p>
            <b>Open a log…</b> in the Tools menu opens a log from a file in a tab of its own, and so does a dropped one.
            Find, filter, plot, crashes, statistics, rules and hex work on it as on a port; nothing can be sent. Logs of
            tio, minicom, picocom, PuTTY, CoolTerm, Tera Term, the Arduino IDE, PlatformIO, idf.py monitor and of
            Wirebench itself are recognised by their first lines, and the times in front of lines go to the time column.
            If the guess is wrong, choose the program or the encoding from the log’s tab.
          </p>
          <p>
            Up to four logs are open at a time. They are on one timeline if all have times. Of a file larger than the
            buffer, a part is held: the line below the tabs says which, leads to the others, and searches the rest. A
            hit there is shown with the lines before it.
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
            A device panel keeps the messages of one device. Pin a message once, then send it to the panel’s target port
            with one click. A message can wait for an answer before the next one is sent: “Run all” then works like a
            small script.
          </p>
          <DocsTable
            label="Limits of panels"
            head={['What', 'Limit']}
            rows={[
              ['Panels', `${maxPanels}`],
              ['Messages in a panel', `${maxPinnedMessages}`],
              ['Characters in a message', `${maxInputLength}`],
              ['The same message twice in a panel', 'refused: the existing one is highlighted'],
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
            A message may have a label, which Edit in its menu sets. The function keys <Kbd>F1</Kbd> to <Kbd>F4</Kbd>{' '}
            and <Kbd>F8</Kbd> to <Kbd>F10</Kbd> send the first seven messages of the selected port’s panel.
          </p>
          <p>
            When the target port disconnects, the panel’s target becomes “No target”, so that nothing is sent to another
            device by accident.
          </p>
        </>
      ),
    },
    {
      id: 'jkits-cloud',
      title: hasServer ? 'JKits cloud' : 'JKits',
      body: (
        <>
          <p>
            A JKit is a panel’s set of messages under a name.{' '}
            {hasServer
              ? 'When you are signed in, you can keep your own in five slots, share them, and find, star and rate those of others: ratings are from one to five stars.'
              : 'Here it is a file: export a panel to make one, and drop it on a panel to load it.'}{' '}
            Loading a JKit replaces the messages of the panel.
          </p>
          <p>
            A JKit is plain JSON. Each entry of “fields” is a string, or an object with the fields below. “settings” say
            how lines end: <code>"lineEnding": true</code> means CRLF, false LF; <code>"ending"</code> can be “none” or
            “cr” instead.
          </p>
          <CodeBlock name="jkit.json" text={jkitSample} />
          <DocsTable
            label="Fields of a message"
            mono
            head={['Field', 'Value', 'What it does']}
            rows={[
              ['content', `text of 1 to ${jkitLimits.messageMaxLength} characters`, 'what is sent'],
              ['type', '"ascii" (default) or "hex"', 'hex is whole bytes and gets no line ending'],
              [
                'label',
                `text of 1 to ${jkitLimits.labelMaxLength} characters`,
                'name of the message, shown before its content',
              ],
              ['hidden', 'true', 'log, transcript, recordings and exports have the name of the message instead'],
              [
                'expect',
                'a string, or an object with content and type',
                'Run all waits for this answer before it sends the next message',
              ],
              [
                'file',
                'an object with by (raw, lines, xmodem, xmodem-1k, ymodem or zmodem) and name',
                'a file that you choose is sent after the message and its answer, for example after loady',
              ],
              ['timeoutMs', '1 to 600,000 (default 1,000)', 'how long Run all waits for the answer, in milliseconds'],
              ['delayMs', '0 to 600,000', 'the pause after the message, and after each repetition, in milliseconds'],
              ['repeat', '1 to 10,000', 'how many times in a row the message is sent'],
              [
                'flow',
                'an object with answers, otherwise, tries, spent, waitFirst and insert',
                'more answers and what Run all does after each of them, as below',
              ],
            ]}
          />
          <Subheading id="jkit-example" title="Example: a modem that has to answer" />
          <p>
            Run all sends AT and waits up to two seconds for OK. Then it asks for the signal strength three times, one
            second apart, and sends Ctrl+Z as a single byte. If an answer does not come, the run stops there and says
            which message was not answered.
          </p>
          <CodeBlock name="modem-check.json" text={runSample} />
          <Subheading id="answers-and-branches" title="Answers and branches" />
          <p>
            “Answers and branches” in the form of a message adds answers: text, hex, or an expression such as{' '}
            <code>{'/seed=(\\w+)/'}</code>. After each of them, and without any, the run goes on, sends the message
            again, goes to the message with a label, or stops as passed or failed with your sentence. Each received byte
            is matched once, and bytes that came between two messages are not lost.
          </p>
          <p>
            What an expression captured can be part of a later message: write <code>{'unlock {1}'}</code> and switch on
            Insert. <code>{'{{'}</code> is a brace then. After the run, Transcript saves all that was sent and received.
          </p>
          <CodeBlock name="unlock.json" text={branchSample} />
          <DocsTable
            label="Limits of JKits"
            head={['What', 'Limit']}
            rows={[
              ['Messages that are loaded', `the first ${jkitLimits.messages}, with a warning`],
              ['Characters in a message', `${jkitLimits.messageMaxLength}; longer ones are shortened, with a warning`],
              ['Name', `${jkitLimits.nameMaxLength} characters`],
              ['Description', `${jkitLimits.descriptionMaxLength} characters`],
              ['Tags', `${jkitLimits.tags} of ${jkitLimits.tagMaxLength} characters`],
              ['The whole content', memoryText(jkitLimits.contentSize)],
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
            bytes, and the same bytes as characters. Your choice is remembered.
          </p>
          <DocsPicture
            name="terminal-hex"
            alt="The log in hex: offsets, two groups of eight bytes in each row, and the characters beside them."
          >
            The same log as bytes. The bytes you select are decoded below: as text, integers, a float and bits.
          </DocsPicture>
          <p>
            View shows times (clock, since start, or since the previous line), direction marks, line endings and control
            bytes, and offers compact rows, activity lanes and wrapping. It stays open while you try. ANSI colours are
            shown. Other terminal controls, such as links, titles, backspaces and bells, are obeyed and not written out,
            until you show control bytes.
          </p>
          <p>
            Screen is a terminal for the selected port, for boards with a shell, an editor or a menu: MicroPython,
            Zephyr, U-Boot, Linux. <Kbd>Ctrl+Shift+Enter</Kbd> or a click enters it, and every key then goes to the
            board at once; the same keys or a click elsewhere leave it. Below it are the keys that your browser keeps
            for itself, and Break. Its settings say what Enter and Backspace send, how large it is, and whether screen
            readers are told what arrives. Keys leave no rows in the log: what the board echoes is in it.
          </p>
          <p>
            With several ports open, the log of the others is beside the Screen, below it or away; Show adds the port of
            the Screen. <Kbd>Ctrl+Shift+F</Kbd> finds in the Screen and in the lines above it.
          </p>
          <p>
            The log follows the newest line until you scroll up. Then it stays where you are reading and counts the new
            lines; <Kbd>End</Kbd> follows again.
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
            With “RTS/CTS”, either side can pause the other when it cannot keep up. Both sides must be wired and set up
            for it. The default is “{defaultPortSettings.flowControl}”, which is right for most boards.
          </p>
          <p>
            When a port is opened, DTR is on and RTS is off. You can switch both by hand; “Reset board” and “Boot mode”
            switch them in the order that the usual auto-reset circuit expects.
          </p>
          <p>
            An Arduino Uno, Nano or Mega starts its sketch again whenever a port is opened, because DTR is wired to
            reset through a capacitor. Most drivers raise DTR before the page can keep it down, so “At open: both off”
            or “leave alone” does not prevent that reset; a capacitor of 10 µF between RESET and GND does. A Leonardo,
            Micro or Pro Micro is not reset, but a sketch that waits with <code>while (!Serial)</code> needs DTR on.
            Sketches often print at 9600 baud.
          </p>
        </>
      ),
    },
  ],
};
